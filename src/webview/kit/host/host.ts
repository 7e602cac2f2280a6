import { type FailedMessage, messageName, type Sent } from '../../../shared/protocol/pageMessage.ts';
import { holdWhilePressed } from './holdWhilePressed.ts';
import { heardFromHost } from './hostClock.ts';

/** The extension host as a page sees it: messages in both directions, and a place to store some state. */
export interface Host<State, ToHost, ToPage> {
  post(message: ToHost): void;
  /**
   * Delivers the host's messages, in order, including those from before this call. Nobody else can post into a page, so
   * messages aren't checked. If `take` fails on one, that's an error in the host's log.
   * @param needs what has to be loaded before this message is taken, if anything. Later ones wait with it, and that's
   * asked only until then.
   */
  listen(take: (message: ToPage) => void, needs?: (message: ToPage) => Promise<void> | undefined): void;
  /** The stored state, unchecked: an earlier version of the page might have written it. */
  recall(): unknown;
  /** Stored by VS Code as long as the page's tab or view exists, including reloads. */
  remember(state: State): void;
}

/** Acquires VS Code's API, which is possible once per page. */
export function acquireHost<State, ToHost, ToPage>(): Host<State, ToHost, ToPage> {
  const api = acquireVsCodeApi<State>();
  const early: ToPage[] = [];
  let receive = (message: ToPage): void => void early.push(message);
  const give = holdWhilePressed((message: ToPage) => receive(message));
  window.addEventListener('message', ({ data }: MessageEvent<ToPage & Sent>) => {
    heardFromHost(data.sentAt);
    give(data);
  });
  const failed = (message: ToPage, error: unknown): void => {
    const report: FailedMessage = { type: 'failedMessage', name: messageName(message) };
    api.postMessage(report);
    // For the page's console. Throwing it would lose the messages that are still waiting.
    reportError(error);
  };
  return {
    post: (message) => api.postMessage(message),
    listen: (take, needs) => {
      const handle = (message: ToPage): void => {
        try {
          take(message);
        } catch (error) {
          failed(message, error);
        }
      };
      const handleAfter = async (first: ToPage, loading: Promise<void>): Promise<void> => {
        receive = (later) => void early.push(later);
        try {
          await loading;
        } catch (error) {
          // A browser doesn't load it again, so this is all that can be done.
          return failed(first, error);
        }
        receive = handle;
        for (const waiting of early.splice(0)) handle(waiting);
      };
      receive = (message) => {
        const loading = needs?.(message);
        if (loading === undefined) return handle(message);
        early.push(message);
        void handleAfter(message, loading);
      };
      for (const message of early.splice(0)) receive(message);
    },
    recall: () => api.getState(),
    remember: (state) => {
      api.setState(state);
    },
  };
}
