import type { SecureContext } from 'node:tls';
import { isUnknownAuthority } from './networkFailure.ts';
import { abandoned, openSocket, type ConnectError, type ConnectPlan, type SocketReady } from './socketConnector.ts';

/** How long the system may take to name its authorities; on macOS, 48 s were seen. */
const readingMs = 60_000;

/**
 * {@link openSocket}, and once more with the system's authorities where the built-in ones don't know who signed. Only
 * then are the system's read, since that can take long; the time it takes doesn't count as connecting. Nothing of a
 * request is sent on the attempt that failed: it has no socket yet.
 *
 * @returns a function that gives up at once, whatever the stage.
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
    // The system has nothing to add to what was tried.
    if (context === undefined || context === used) settle(error, null);
    else cancel = openSocket({ ...first, secureContext: () => context }, settle);
  }
  return () => cancel();
}

function causeOf({ problem }: ConnectError): unknown {
  return 'cause' in problem ? problem.cause : undefined;
}
