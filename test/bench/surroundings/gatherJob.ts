import type { SurroundingPiece } from '../../../src/core/prompts/surroundings/surroundingPieces.ts';
import type { Repository, Selection } from './selections.ts';

/** What the extension in the window does. */
export interface GatherJob {
  readonly selections: readonly Selection[];
  readonly rounds: number;
  readonly server: Repository['server'];
  /** The language server, unless VS Code has one of its own. */
  readonly start?: ServerStart;
}

export interface ServerStart {
  readonly language: string;
  /** A module for Node, or a program. */
  readonly module?: string;
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Gathering once: how long it took by the clock, and whose code used the CPU of the extension host during that time. */
export interface GatheredOnce {
  readonly totalMs: number;
  readonly ownMs: number;
  /** Extensions for languages, which run in the same process. */
  readonly languageMs: number;
  /** VS Code's own code, and garbage collection. */
  readonly hostMs: number;
  readonly pieces: readonly SurroundingPiece[];
}

export interface Gathered {
  /** Right after the file was opened. */
  readonly first: GatheredOnce;
  /** Once the language's extension knows the project. */
  readonly warm: readonly GatheredOnce[];
}
