import type { ProposalSession } from './proposalSession.ts';
import type { ReplyTarget } from '../into/replyTarget.ts';

/** Writes each reply into its part of the proposal. */
export function proposalTargets(session: ProposalSession, parts: readonly unknown[]): readonly ReplyTarget[] {
  return parts.map((_part, index) => ({
    write: (text) => session.write(index, text),
    finish: async (end) => {
      if (end.outcome === 'done') session.complete(index, end.text);
      else session.write(index, end.text);
    },
    // The session stays until the person has decided.
    dispose: () => undefined,
  }));
}
