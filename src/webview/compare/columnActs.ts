import type { ReplyAct, ToCompareHost } from '../../shared/protocol/compareProtocol.ts';
import type { CodeActions } from '../markdown/markdownView.ts';

interface ActsAround {
  readonly post: (message: ToCompareHost) => void;
  /** Sends a message with text, unless it's too long. */
  readonly postText: (text: string, message: ToCompareHost) => void;
  /** The clipboard contains what was copied last. */
  readonly onCopied: (then: () => void) => void;
  readonly sayCopied: () => void;
}

/** The actions of the buttons of replies and of their code. */
export interface ColumnActs {
  /** @param onDone called once the host has done it */
  readonly act: (replyId: string, act: ReplyAct, onDone?: () => void) => void;
  readonly code: CodeActions;
}

export function columnActs({ post, postText, onCopied, sayCopied }: ActsAround): ColumnActs {
  return {
    act: (replyId, act, onDone = sayCopied) => {
      onCopied(onDone);
      post({ type: 'actOnReply', replyId, act });
    },
    code: {
      copy: (text, onDone) => {
        onCopied(onDone);
        postText(text, { type: 'copyText', text });
      },
      insert: (text) => postText(text, { type: 'insertCode', text }),
      open: (text, language) => postText(text, { type: 'openCode', text, language }),
      compare: (text) => postText(text, { type: 'compareCode', text }),
      openLink: (href) => post({ type: 'openLink', href }),
    },
  };
}
