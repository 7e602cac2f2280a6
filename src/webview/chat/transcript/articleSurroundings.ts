import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import type { CodeActions } from '../../markdown/markdownView.ts';
import type { EditKeeper } from '../page/editKeeper.ts';
import type { TokenLengths } from '../speed/tokenLengths.ts';
import type { FrameLoop } from '../../kit/frameLoop.ts';
import type { RetryMenu } from './retryMenu.ts';
import type { Side } from './versionSwitch.ts';
import type { Ticker } from '../../kit/ticker.ts';

/** What the messages of the transcript need from the page around them. */
export interface ArticleSurroundings {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  readonly frames: FrameLoop;
  readonly ticker: Ticker;
  readonly tokenLengths: TokenLengths;
  readonly code: CodeActions;
  /** @param onCopied called once the text of the message is on the clipboard */
  readonly copyMessage: (messageId: string, onCopied: () => void) => void;
  readonly edits: EditKeeper;
  readonly retryMenu: RetryMenu;
  /** Shows another version of a reply. @param side the direction of the switch */
  readonly showVersion: (messageId: string, side: Side) => void;
  /** False, after telling the user, for a text that is too long for the host. */
  readonly fits: (text: string) => boolean;
  /** URL of the folder with the conversation's images; ends with a slash. */
  readonly pictures: () => string;
}
