import { type FailedMessage, messageName } from '../../shared/failedMessage.ts';

/** The extension host as a page sees it: messages in both directions, and a place to keep a little state. */
export interface Host<State, ToHost, ToPage> {
  post(message: ToHost): void;
  /**
   * Hands over what the host sends, in order, including what came before this call. Nobody else can post into a page, so
   * messages aren't checked. If `take` fails on one, that's an error in the host's log.
   */
  listen(take: (message: ToPage) => void): void;
  /** What `remember` kept, unchecked: it was written by an earlier version of the page, perhaps. */
  recall(): unknown;
  /** Kept by VS Code as long as the page's tab or view exists, reloads included. */
  remember(state: State): void;
}

/** Takes hold of VS Code's API, which allows it once for each page. */
export function acquireHost<State, ToHost, ToPage>(): Host<State, ToHost, ToPage> {
  const api = acquireVsCodeApi<State>();
  const early: ToPage[] = [];
  let receive = (message: ToPage): void => void early.push(message);
  window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => receive(data));
  return {
    post: (message) => api.postMessage(message),
    listen: (take) => {
      receive = (message) => {
        try {
          take(message);
        } catch (error) {
          const failed: FailedMessage = { type: 'failedMessage', name: messageName(message) };
          api.postMessage(failed);
          // For the page's console. Throwing it would lose the messages that are still waiting.
          reportError(error);
        }
      };
      for (const message of early.splice(0)) receive(message);
    },
    recall: () => api.getState(),
    remember: (state) => {
      api.setState(state);
    },
  };
}
