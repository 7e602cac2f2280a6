import * as vscode from 'vscode';
import type { TransportSettings } from '../../api/transport/transportSettings.ts';
import { ownValue } from './settingRules.ts';

// The environment might also contain the API key, so only the necessary variables are passed on.
const proxyVariable = /^(https?|all|no)_proxy$/i;

type ProxySupport = TransportSettings['proxySupport'];

/**
 * VS Code's own `http.*` settings and the environment, read for each connection. Only the user's own settings count: a
 * proxy set by a repository would see where requests are sent.
 */
export function networkSettings(environment: NodeJS.ProcessEnv): TransportSettings {
  const configuration = vscode.workspace.getConfiguration('http');
  const own = (name: string): unknown => ownValue(configuration.inspect(name));
  const proxyAuthorization = trimmedText(own('proxyAuthorization'));
  return {
    proxySupport: proxySupportOf(own('proxySupport')),
    proxy: trimmedText(own('proxy')),
    noProxy: textsOf(own('noProxy')),
    ...(proxyAuthorization === '' ? {} : { proxyAuthorization }),
    systemCertificates: own('systemCertificates') !== false,
    env: Object.fromEntries(Object.entries(environment).filter(([name]) => proxyVariable.test(name))),
  };
}

function proxySupportOf(value: unknown): ProxySupport {
  return value === 'off' || value === 'on' || value === 'fallback' ? value : 'override';
}

function trimmedText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
