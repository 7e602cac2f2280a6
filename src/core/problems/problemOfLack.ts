import * as l10n from '@vscode/l10n';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { Problem } from '../../shared/problem.ts';

/** A service that is known not to support chat, before anything is typed. Models of other services are offered. */
export function problemOfLack(lack: {
  readonly service: string;
  readonly title: string;
  readonly reason: string;
  readonly offers: readonly { readonly label: string; readonly model?: ModelRef }[];
}): Problem {
  const { service, title, reason, offers } = lack;
  return {
    severity: 'warning',
    title,
    detail: reason,
    actions: [
      ...offers.flatMap(({ label, model }) =>
        model === undefined ? [] : [{ kind: 'useModel' as const, label, model }],
      ),
      { kind: 'selectModel', label: l10n.t('Select Another Model…') },
      { kind: 'testConnection', label: l10n.t('Test Connection') },
    ],
    service,
    technical: '',
  };
}
