import type { SecureContext } from 'node:tls';
import { isUnknownAuthority } from './networkFailure.ts';
import { abandoned, openSocket, type ConnectError, type ConnectPlan, type SocketReady } from './socketConnector.ts';

/** How long the system can take to list its authorities. On macOS, up to 48 s has been measured. */
const readingMs = 60_000;

/**
 * {@link openSocket}, and a second time with the system's authorities if the built-in ones don't know the issuer. The
 * system's are read only then, because that can take a long time; this time doesn't count toward the connect timeout.
 * No part of a request is sent on the failed attempt, which has no socket yet.
 * @returns a function that gives up at once, at any stage.
 */
export function openTrustedSocket(plan: ConnectPlan, ready: SocketReady): () => void {
  const { systemTrust, ...first } = plan;
  if (systemTrust === undefined) return openSocket(plan, ready);
  let used: SecureContext | undefined;
  let isOver = false;
  const settle: SocketReady = (error, socket) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    ready(error, socket);
  };
  let timer: NodeJS.Timeout | undefined;
  let cancel = openSocket({ ...first, secureContext: () => (used ??= plan.secureContext()) }, (error, socket) => {
    if (error === null || isOver || !isUnknownAuthority(causeOf(error))) settle(error, socket);
    else void tryWithSystem(error);
  });

  async function tryWithSystem(error: ConnectError): Promise<void> {
    timer = setTimeout(() => settle(error, null), readingMs);
    cancel = () => settle(abandoned(), null);
    const context = await systemTrust?.();
    if (isOver) return;
    clearTimeout(timer);
    // The system's authorities add nothing to those that were tried.
    if (context === undefined || context === used) settle(error, null);
    else cancel = openSocket({ ...first, secureContext: () => context }, settle);
  }
  return () => cancel();
}

function causeOf({ problem }: ConnectError): unknown {
  return 'cause' in problem ? problem.cause : undefined;
}
