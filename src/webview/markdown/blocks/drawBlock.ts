import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import { FencedBlock } from './fencedBlock.ts';
import { ListBlock } from './listBlock.ts';
import { QuoteBlock } from './quoteBlock.ts';
import { TableBlock } from './tableBlock.ts';
import { StaticBlock, TextBlock } from './textBlock.ts';
import type { VisibleToken } from './visibleToken.ts';

/** A new block for a token. If it isn't final, its end can still grow. */
export function drawBlock(token: VisibleToken, context: DrawingContext, isFinal: boolean): DrawnBlock {
  switch (token.type) {
    case 'paragraph':
    case 'text':
    case 'heading':
      return new TextBlock(token, context);
    case 'list':
      return new ListBlock(token, context, isFinal);
    case 'blockquote':
      return new QuoteBlock(token, context, isFinal);
    case 'table':
      return new TableBlock(token, context);
    case 'code':
      return new FencedBlock(token, context, isFinal);
    case 'formula':
      return context.newFormulaBlock(token);
    default:
      return new StaticBlock(token);
  }
}
