import { usualCharactersPerToken } from '../../../words/tokens.ts';
import { contextBlock } from '../../chat/contextBlock.ts';
import { surroundingBudget } from './surroundingPieces.ts';

/** How a project is tested, as far as known. */
export interface TestSetup {
  /** In English, for a model. */
  readonly framework?: string;
  /** Where tests of the file belong, relative to the open folder. */
  readonly path?: string;
  readonly example?: { readonly path: string; readonly language: string; readonly text: string };
}

/** Limits of the example, in lines and characters: enough to show how tests are written here. */
const mostLines = 60;
const mostCharacters = 3200;

/**
 * What is sent to the model about it; empty if nothing is known.
 * @param contextWindow of the model, in tokens, if known
 */
export function testSetupText({ framework, path, example }: TestSetup, contextWindow?: number): string {
  const sentences = [
    framework === undefined ? '' : `Tests in this project use ${framework}.`,
    path === undefined ? '' : `The new tests will be in ${path}.`,
  ].filter((sentence) => sentence !== '');
  const blocks = example === undefined ? [] : [exampleBlock(example, contextWindow)];
  return [sentences.join(' '), ...blocks].filter((part) => part !== '').join('\n\n');
}

/** The part of the example that is sent, and in English how much that is, if it isn't all. */
export function exampleStart(
  { text }: Pick<NonNullable<TestSetup['example']>, 'text'>,
  contextWindow: number | undefined,
): { readonly text: string; readonly cut: string } {
  const most = Math.min(mostCharacters, surroundingBudget(contextWindow) * usualCharactersPerToken);
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  let kept = lines.slice(0, mostLines);
  while (kept.length > 1 && kept.join('\n').length > most) kept = kept.slice(0, -1);
  const whole = kept.join('\n');
  const cut =
    whole.length > most ? ' (its start)' : kept.length < lines.length ? ` (its first ${kept.length} lines)` : '';
  return { text: whole.slice(0, most), cut };
}

function exampleBlock(example: NonNullable<TestSetup['example']>, contextWindow: number | undefined): string {
  const { text, cut } = exampleStart(example, contextWindow);
  const heading = `An existing test, as an example of the style: ${example.path}${cut}`;
  return contextBlock({ heading, language: example.language, text });
}
