import * as l10n from '@vscode/l10n';
import type {
  ConnectionLostFailure,
  NetworkFailure,
  NotTheServiceFailure,
  RedirectedFailure,
  TimeoutFailure,
  TlsFailure,
} from '../../shared/apiFailure.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { kept, mayBeCharged, type ProblemContext, type ProblemDraft, runsHere, tried } from './problemDraft.ts';
import { waitText } from '../../words/duration.ts';
import { inline } from '../../words/inline.ts';

/** No connection, or one that broke before the response started. */
export function networkProblem(failure: NetworkFailure, context: ProblemContext): ProblemDraft {
  const words = networkWords(failure);
  return {
    ...words,
    actions: failure.reason === 'proxy' ? words.actions : withoutUnusedProxy(words.actions, failure.host),
    detail: [
      ...words.detail,
      tried(context),
      kept(context),
      failure.mayHaveBeenSent ? mayBeCharged(context) : l10n.t('Nothing was sent.'),
    ],
    technical: inline(failure.code, 64),
  };
}

function networkWords(failure: NetworkFailure): ProblemDraft {
  const host = hostName(failure.host);
  switch (failure.reason) {
    case 'dns':
      return {
        title: l10n.t("Couldn't find {0}", host),
        detail: [l10n.t('No server has this name. Check your internet connection and the spelling of the base URL.')],
        actions: ['setBaseUrl', 'retry', 'openProxySettings'],
      };
    case 'refused':
      return {
        title: l10n.t('{0} refused the connection', host),
        detail: [
          runsHere(failure.host)
            ? startIt()
            : l10n.t(
                'The server is reachable but nothing is listening. The service might be stopped, or the port might be wrong.',
              ),
        ],
        actions: ['retry', 'setBaseUrl', 'openProxySettings'],
      };
    case 'unreachable':
      return {
        title: l10n.t("Couldn't reach {0}", host),
        detail: [
          runsHere(failure.host)
            ? startIt()
            : l10n.t('Check your internet connection, and whether you need a VPN or proxy.'),
        ],
        actions: ['retry', 'openProxySettings', 'setBaseUrl'],
      };
    case 'reset':
      return {
        title: l10n.t('The connection was closed'),
        detail: [l10n.t('{0}, or a proxy in between, closed the connection before it replied.', host)],
        actions: ['retry', 'openProxySettings', 'openInferenceLogPage', 'showLog'],
      };
    case 'proxy':
      return {
        title: l10n.t("The proxy couldn't connect"),
        detail: [l10n.t('The connection through the proxy {0} failed. Check the proxy settings.', host)],
        actions: ['openProxySettings', 'retry', 'showLog'],
      };
    case 'notHttp':
      return {
        title: l10n.t('Not an HTTP server'),
        detail: [l10n.t("{0} was reached, but it didn't return HTTP. Check the port in the base URL.", host)],
        actions: ['setBaseUrl', 'retry', 'showLog'],
      };
    case 'other':
      if (failure.mayHaveBeenSent) {
        return {
          title: l10n.t('The connection was closed'),
          detail: [l10n.t('The connection to {0} failed after the request was sent.', host)],
          actions: ['retry', 'openProxySettings', 'openInferenceLogPage', 'showLog'],
        };
      }
      return {
        title: l10n.t("Couldn't reach {0}", host),
        detail: [l10n.t('The connection failed. The log has the details.')],
        actions: ['retry', 'setBaseUrl', 'showLog'],
      };
  }
}

export function tlsProblem(failure: TlsFailure, context: ProblemContext): ProblemDraft {
  const words = tlsWords(failure);
  return {
    ...words,
    detail: [...words.detail, l10n.t('Nothing was sent.'), kept(context)],
    technical: inline(failure.code, 64),
  };
}

function tlsWords(failure: TlsFailure): ProblemDraft {
  const host = hostName(failure.host);
  switch (failure.reason) {
    case 'expired':
      return {
        title: l10n.t('The certificate of {0} has expired', host),
        detail: [l10n.t("Check your computer's clock. If it's correct, contact whoever runs the service.")],
        actions: ['retry', 'setBaseUrl', 'showLog'],
      };
    case 'notYetValid':
      return {
        title: l10n.t("{0}'s certificate isn't valid yet", host),
        detail: [l10n.t("Your computer's clock is probably wrong. Check its date and time.")],
        actions: ['retry', 'setBaseUrl', 'showLog'],
      };
    case 'selfSigned':
      return {
        title: l10n.t('The certificate of {0} is self-signed', host),
        detail: [
          l10n.t(
            "Your computer doesn't trust this certificate. If you run the service yourself, add it to your system's certificate store.",
          ),
        ],
        actions: ['retry', 'openProxySettings', 'setBaseUrl', 'showLog'],
      };
    case 'untrusted':
      return {
        title: l10n.t("{0}'s certificate isn't trusted", host),
        detail: [
          l10n.t(
            "This computer doesn't know its issuer. In a company network, the company's certificate must be in the system's certificate store, and the setting http.systemCertificates must be on.",
          ),
        ],
        actions: ['openProxySettings', 'retry', 'setBaseUrl', 'showLog'],
      };
    case 'wrongHost':
      return {
        title: l10n.t("The certificate isn't for {0}", host),
        detail: [l10n.t('It was issued for a different host. Check the spelling of the base URL.')],
        actions: ['setBaseUrl', 'retry', 'showLog'],
      };
    case 'protocol':
      return {
        title: l10n.t('No secure connection to {0}', host),
        detail: [l10n.t('The TLS handshake failed. If the service uses plain HTTP, start the base URL with http://.')],
        actions: ['setBaseUrl', 'retry', 'showLog'],
      };
    case 'other':
      return {
        title: l10n.t('No secure connection to {0}', host),
        detail: [l10n.t("The certificate or the encryption couldn't be verified. See the log for details.")],
        actions: ['retry', 'setBaseUrl', 'showLog'],
      };
  }
}

export function timeoutProblem(failure: TimeoutFailure, context: ProblemContext): ProblemDraft {
  const words = timeoutWords(failure, context);
  return {
    ...words,
    actions: withoutUnusedProxy(words.actions, failure.host),
    technical: `${failure.timer} ${failure.afterMs} ms`,
  };
}

function timeoutWords(failure: TimeoutFailure, context: ProblemContext): ProblemDraft {
  const host = hostName(failure.host);
  const after = waitText(failure.afterMs);
  switch (failure.timer) {
    case 'connect':
      return {
        title: l10n.t("{0} isn't responding", host),
        detail: [
          runsHere(failure.host)
            ? startIt()
            : l10n.t(
                "Couldn't connect within {0}. Check your internet connection, and whether you need a proxy.",
                after,
              ),
          tried(context),
          l10n.t('Nothing was sent.'),
          kept(context),
        ],
        actions: ['retry', 'openProxySettings', 'setBaseUrl'],
      };
    case 'firstByte':
      return {
        title: l10n.t('No response in {0}', after),
        detail: [
          l10n.t("{0} accepted the request but didn't start replying. The model might be busy.", host),
          kept(context),
          mayBeCharged(context),
        ],
        actions: ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
      };
    case 'silence':
      return {
        severity: context.hasPartialText ? 'warning' : 'error',
        title: l10n.t('The reply stalled'),
        detail: [
          l10n.t('{0} sent nothing for {1}, and Parlance stopped waiting.', host, after),
          kept(context),
          mayBeCharged(context),
        ],
        actions: context.hasPartialText
          ? ['continue', 'retry', 'selectModel', 'openInferenceLogPage']
          : ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
      };
    case 'answer':
      return {
        title: l10n.t('The response took over {0}', after),
        detail: [l10n.t('Parlance stopped waiting for {0}.', host), kept(context), mayBeCharged(context)],
        actions: ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
      };
  }
}

export function connectionLostProblem(failure: ConnectionLostFailure, context: ProblemContext): ProblemDraft {
  return {
    severity: context.hasPartialText ? 'warning' : 'error',
    title: l10n.t('The connection was lost'),
    detail: [
      l10n.t('The connection to {0} ended before the reply did.', hostName(failure.host)),
      kept(context),
      mayBeCharged(context),
    ],
    actions: context.hasPartialText
      ? ['continue', 'retry', 'openInferenceLogPage', 'showLog']
      : ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
    technical: inline(failure.code, 64),
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
  };
}

export function redirectedProblem({ to, status, isToHttps }: RedirectedFailure, context: ProblemContext): ProblemDraft {
  return {
    title: isToHttps ? l10n.t('The service requires https') : l10n.t('The service redirected the request'),
    detail: [
      to === undefined
        ? l10n.t("The server redirects to another URL. Parlance doesn't follow because your key would be sent along.")
        : l10n.t(
            "The server redirects to {0}. Parlance doesn't follow because your key would be sent along.",
            inline(to, 200),
          ),
      kept(context),
      isToHttps ? l10n.t('Change the base URL to https://; the host is the same.') : l10n.t('Check the base URL.'),
    ],
    actions: isToHttps ? ['useHttps', 'setBaseUrl', 'showLog'] : ['setBaseUrl', 'retry', 'showLog'],
    technical: String(status),
  };
}

export function notTheServiceProblem(failure: NotTheServiceFailure, context: ProblemContext): ProblemDraft {
  const title = inline(failure.title ?? '', 200);
  const sample = failure.sample.trimStart().startsWith('<') ? '' : inline(failure.sample, 200);
  return {
    title: l10n.t('Unexpected response'),
    detail: [
      l10n.t(
        'A web page came back instead of an API response. The base URL might be wrong, or a sign-in page or proxy is intercepting requests.',
      ),
      title === '' ? undefined : l10n.t('The page title is "{0}".', title),
      sample === '' ? undefined : l10n.t('It begins: "{0}"', sample),
      kept(context),
    ],
    actions: withoutUnusedProxy(['setBaseUrl', 'retry', 'openProxySettings', 'showLog'], context.host ?? ''),
    technical: `${failure.status} ${inline(failure.contentType, 64)}`.trimEnd(),
  };
}

export function proxyAuthProblem(context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t('The proxy requires authentication'),
    detail: [
      l10n.t('A proxy between you and the service requires a name and a password. Add them to the proxy settings.'),
      l10n.t('Nothing reached the service.'),
      kept(context),
    ],
    actions: ['openProxySettings', 'retry', 'showLog'],
    technical: '407',
  };
}

/** A server on this computer is reached without a proxy. */
function withoutUnusedProxy(actions: readonly ProblemActionKind[], host: string): readonly ProblemActionKind[] {
  return runsHere(host) ? actions.filter((kind) => kind !== 'openProxySettings') : actions;
}

function startIt(): string {
  return l10n.t('Start the service, or check the port in the base URL.');
}

function hostName(host: string): string {
  return host === '' ? l10n.t('the service') : inline(host, 100);
}

/** The service is reached at its older host for now. */
export function switchedHostText(from: string, to: string): string {
  return l10n.t("Couldn't reach {0}. Parlance is using the fallback host {1} for now.", from, to);
}
