import type { ToHost } from '../../shared/chatProtocol.ts';
import { messageName, type RefusedMessage } from '../../shared/refusedMessage.ts';

/** The extension host as a page sees it: one way to post, one place to keep a little state. */
export interface Host<State, Message = ToHost> {
  post(message: Message): void;
  /** Leaves a message alone that isn't of the protocol, and tells the host, whose log is the place for that. */
  refuse(message: unknown): void;
  /** What `remember` kept, unchecked: it was written by an earlier version of the page, perhaps. */
  recall(): unknown;
  /** Kept by VS Code as long as the page's tab or view exists, reloads included. */
  remember(state: State): void;
}

/** Takes hold of VS Code's API, which allows it once for each page. */
export function acquireHost<State, Message = ToHost>(): Host<State, Message> {
  const api = acquireVsCodeApi<State>();
  return {
    post: (message) => api.postMessage(message),
    refuse: (message) => {
      const refused: RefusedMessage = { type: 'refusedMessage', name: messageName(message) };
      api.postMessage(refused);
    },
    recall: () => api.getState(),
    remember: (state) => {
      api.setState(state);
    },
  };
}
