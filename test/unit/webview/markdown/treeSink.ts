import type { Links, Token, Tokens } from 'marked';
import { type BlockSink, BlockStream } from '../../../../src/webview/markdown/stream/blockStream.ts';
import { lexBlocks, lexInline, noLinks } from '../../../../src/webview/markdown/stream/boundedLexer.ts';
import { codeLines, fenceLanguage } from '../../../../src/webview/markdown/stream/codeFence.ts';
import type { FinalPart } from '../../../../src/webview/markdown/stream/finalPart.ts';
import { formulaReading } from '../../../../src/webview/markdown/stream/formulaReading.ts';
import { ReferenceIndex } from '../../../../src/webview/markdown/stream/referenceIndex.ts';
import { isVisible, type VisibleToken } from '../../../../src/webview/markdown/blocks/visibleToken.ts';

// The blocks of other texts are the same, whatever a page has loaded.
await formulaReading.load();

/** Inline text as it's drawn, with the Markdown it came from. */
interface Run {
  readonly src: string;
  inline: unknown[];
}

interface DrawnList {
  readonly list: boolean;
  readonly start: number | '';
  loose: boolean;
  readonly items: unknown[];
}

interface DrawnTable {
  readonly table: readonly (string | null)[];
  readonly header: Run[];
  readonly rows: Run[][];
}

/** What is drawn, as plain data. */
export type Drawn =
  | DrawnList
  | DrawnTable
  | { readonly p: Run }
  | { readonly h: number; readonly run: Run }
  | { readonly code: string; readonly lines: string[] }
  | { readonly quote: Drawn[] }
  | { readonly formula: string }
  | { text: string }
  | { readonly type: string; readonly raw: string };

function drawInline(tokens: readonly Token[]): unknown[] {
  return tokens.filter(isVisible).flatMap((token): unknown[] => {
    if (token.type === 'checkbox') return [];
    const { href = '', title = '' } = token.type === 'link' || token.type === 'image' ? token : {};
    const content = 'tokens' in token && token.tokens !== undefined ? drawInline(token.tokens) : textOf(token);
    return [[token.type, href, title, content]];
  });
}

function textOf(token: VisibleToken): string {
  return 'text' in token ? token.text : '';
}

/** Draws blocks as data and collects their inline text. */
export class TreeDrawer {
  readonly runs: Run[] = [];

  blocks(tokens: readonly Token[]): Drawn[] {
    return tokens.filter(isVisible).flatMap((token) => (token.type === 'checkbox' ? [] : [this.block(token)]));
  }

  block(token: VisibleToken): Drawn {
    switch (token.type) {
      case 'paragraph':
      case 'text':
        return { p: this.#run(token.text, token.tokens) };
      case 'heading':
        return { h: token.depth, run: this.#run(token.text, token.tokens) };
      case 'code':
        return { code: fenceLanguage(token.lang ?? ''), lines: codeLines(token.text) };
      case 'blockquote':
        return { quote: this.blocks(token.tokens) };
      case 'list':
        return this.list(token);
      case 'table':
        return this.table(token);
      case 'formula':
        return { formula: token.text };
      default:
        return { type: token.type, raw: token.type === 'hr' ? '' : token.raw };
    }
  }

  list({ ordered, start, loose, items }: Tokens.List): DrawnList {
    const drawn = items.map(({ task, checked = false, tokens }) => ({ task, checked, blocks: this.blocks(tokens) }));
    return { list: ordered, start, loose, items: drawn };
  }

  table({ align, header, rows }: Tokens.Table): DrawnTable {
    const cells = (row: readonly Tokens.TableCell[]): Run[] => row.map(({ text, tokens }) => this.#run(text, tokens));
    return { table: align, header: cells(header), rows: rows.map(cells) };
  }

  #run(text: string, tokens: readonly Token[] = []): Run {
    const src = tokens[0]?.type === 'checkbox' ? text.replace(/^\[[ xX]\] /, '') : text;
    const run = { src, inline: drawInline(tokens) };
    this.runs.push(run);
    return run;
  }
}

/** A sink that freezes what is committed, like a page. */
export class TreeSink implements BlockSink {
  readonly #links: () => Links;
  readonly #committed: Drawn[] = [];
  readonly #references = new ReferenceIndex<Run>();
  #open: Drawn[] = [];
  #continued: DrawnList | DrawnTable | undefined;
  #lines: string[] = [];
  #plain = { text: '' };
  pending = '';
  codeLine = '';

  constructor(links: () => Links) {
    this.#links = links;
  }

  get drawn(): Drawn[] {
    return [...this.#committed, ...this.#open];
  }

  show(tokens: readonly Token[], final: FinalPart): void {
    this.#open = [];
    for (const [index, token] of tokens.entries()) {
      if (!isVisible(token)) continue;
      if (index < final.blocks) this.#commit(token, false);
      else if (index === final.blocks && final.parts > 0) this.#commitParts(token, final.parts);
      else this.#open.push(new TreeDrawer().block(token));
    }
  }

  showPending(text: string): void {
    this.pending = text;
  }

  openCode(info: string): void {
    this.#lines = [];
    this.#committed.push({ code: fenceLanguage(info), lines: this.#lines });
  }

  addCodeLines(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  showCodeLine(line: string): void {
    this.codeLine = line;
  }

  closeCode(): void {}

  openPlain(): void {
    this.#continued = undefined;
    this.#plain = { text: '' };
    this.#committed.push(this.#plain);
  }

  addPlain(text: string): void {
    this.#plain.text += text;
  }

  closePlain(): void {}

  define(labels: readonly string[]): void {
    for (const label of labels) {
      for (const run of this.#references.take(label)) run.inline = drawInline(lexInline(run.src, this.#links()));
    }
  }

  #commitParts(token: VisibleToken, parts: number): void {
    if (token.type === 'list') {
      this.#commit({ ...token, items: token.items.slice(0, parts) }, true);
      this.#open.push(new TreeDrawer().list({ ...token, items: token.items.slice(parts) }));
    } else if (token.type === 'table') {
      this.#commit({ ...token, rows: token.rows.slice(0, parts) }, true);
      this.#open.push(new TreeDrawer().table({ ...token, rows: token.rows.slice(parts) }));
    } else {
      throw new Error(`A ${token.type} has no parts`);
    }
  }

  #commit(token: VisibleToken, goesOn: boolean): void {
    const drawer = new TreeDrawer();
    const drawn = drawer.block(token);
    for (const run of drawer.runs) this.#references.add(run.src, run);
    const before = this.#continued;
    this.#continued = undefined;
    if (before === undefined) {
      this.#committed.push(drawn);
      if (goesOn && ('items' in drawn || 'rows' in drawn)) this.#continued = drawn;
      return;
    }
    if ('items' in before && 'items' in drawn) {
      before.items.push(...drawn.items);
      // The last call counts: earlier ones might have been for a tight list.
      before.loose = drawn.loose;
    } else if ('rows' in before && 'rows' in drawn) {
      before.rows.push(...drawn.rows);
    } else {
      throw new Error('The open list or table is not continued');
    }
    if (goesOn) this.#continued = before;
  }
}

/** Lexes the whole text at once. */
export function drawWhole(text: string): Drawn[] {
  const { definitions } = lexBlocks(text, noLinks());
  return new TreeDrawer().blocks(lexBlocks(text, definitions).tokens);
}

/** Lexes the same text in pieces, each drawn before the next one arrives. */
export function drawStreamed(pieces: readonly string[]): Drawn[] {
  const sink: TreeSink = new TreeSink(() => stream.links);
  const stream = new BlockStream(sink);
  for (const piece of pieces) {
    stream.append(piece);
    while (stream.step());
  }
  stream.finish();
  while (stream.step());
  return sink.drawn;
}
