import { drawStreamed } from '../unit/webview/markdown/treeSink.ts';
import { assertLinearCost } from './linearCost.ts';

const pieceChars = 4096;

/** Fails if the stream needs much more than twice as long for twice the input. */
export function assertLinear(input: (n: number) => string): void {
  assertLinearCost((n) => {
    const text = input(n);
    const pieces: string[] = [];
    for (let at = 0; at < text.length; at += pieceChars) pieces.push(text.slice(at, at + pieceChars));
    return () => void drawStreamed(pieces);
  });
}
