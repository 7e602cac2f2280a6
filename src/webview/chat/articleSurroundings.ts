import type { ToHost } from '../../shared/chatProtocol.ts';
import type { CodeActions } from '../markdown/markdownView.ts';
import type { FigureFormat } from './figureFormat.ts';
import type { FrameLoop } from './frameLoop.ts';
import type { Ticker } from './ticker.ts';

/** What the messages of the transcript need of the page around them. */
export interface ArticleSurroundings {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  readonly frames: FrameLoop;
  readonly ticker: Ticker;
  readonly figures: FigureFormat;
  readonly code: CodeActions;
  /** The reader opened or closed something: the page must not follow the end now. */
  readonly onToggled: () => void;
}
