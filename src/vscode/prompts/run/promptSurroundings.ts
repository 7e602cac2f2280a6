import * as vscode from 'vscode';
import { aroundIn, type AroundVariable } from '../../../core/prompts/promptTemplate.ts';
import { surroundingText } from '../../../core/prompts/surroundings/surroundingPieces.ts';
import { testSetupText } from '../../../core/prompts/surroundings/testSetupText.ts';
import { gatherSurroundings, type SurroundingsDeps } from '../../attachments/surroundings/gatherSurroundings.ts';
import { gatherTestSetup } from '../../attachments/surroundings/gatherTestSetup.ts';
import type { PromptSource } from './promptSource.ts';

/** What one request sends besides the selection, without the user having selected each piece. */
export interface PartSurroundings {
  readonly values: ReadonlyMap<AroundVariable, string>;
  /** What it is, one line each, for a confirmation. */
  readonly shown: readonly string[];
  /** Where tests of the code belong, if it asks for some and that's known. */
  readonly testUri?: vscode.Uri;
}

/** Gathers the surroundings that a template sends, for each part. */
export function takeSurroundings(
  template: string,
  parts: readonly (PromptSource | undefined)[],
  deps: SurroundingsDeps,
): Promise<readonly PartSurroundings[]> {
  const names = aroundIn(template);
  return Promise.all(parts.map((part) => takeOne(names, part, deps)));
}

async function takeOne(
  names: readonly AroundVariable[],
  source: PromptSource | undefined,
  deps: SurroundingsDeps,
): Promise<PartSurroundings> {
  const values = new Map<AroundVariable, string>();
  if (source === undefined || names.length === 0) return { values, shown: [] };
  const [pieces, tests] = await Promise.all([
    names.includes('surroundingCode') ? gatherSurroundings(source, deps) : [],
    names.includes('testSetup') ? gatherTestSetup(source.document, deps) : undefined,
  ]);
  values.set('surroundingCode', surroundingText(pieces));
  if (tests !== undefined) values.set('testSetup', testSetupText(tests.setup, deps.contextWindow));
  const shown = pieces.map(({ path, from, to }) =>
    vscode.l10n.t('Surrounding code: {0}', to - from <= 1 ? `${path}:${from + 1}` : `${path}:${from + 1}-${to}`),
  );
  const { framework, path: place, example } = tests?.setup ?? {};
  if (framework !== undefined) shown.push(vscode.l10n.t('Test framework: {0}', framework));
  if (place !== undefined) shown.push(vscode.l10n.t('File for the tests: {0}', place));
  if (example !== undefined) shown.push(vscode.l10n.t('Example test: {0}', example.path));
  return { values, shown, ...(tests?.uri && { testUri: tests.uri }) };
}
