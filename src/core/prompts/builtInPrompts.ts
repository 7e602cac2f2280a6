import * as l10n from '@vscode/l10n';
import { mapTable } from '../../shared/mapTable.ts';
import type { PromptDefinition, PromptTarget } from './promptDefinition.ts';

export type BuiltInPromptId =
  | 'explain'
  | 'fix'
  | 'simplify'
  | 'generateTests'
  | 'generateDocs'
  | 'translate'
  | 'review';

/* oxlint-disable no-template-curly-in-string -- `${…}` are slots of the template, not of TypeScript */
const around = '${surroundingCode}\n\n';
const code = '${fence}${languageId}\n${selection}\n${fence}';
const onlyCode = 'Answer with the whole code in one code block and nothing else.';

interface BuiltIn {
  readonly words: string;
  /** Between the instructions and the code: what only the editor knows. */
  readonly around: string;
  readonly target: PromptTarget;
}

// Always in English, because they're written for a model, and every model understands it.
const builtIns: Readonly<Record<BuiltInPromptId, BuiltIn>> = {
  explain: {
    words: 'Explain this code from ${fileBasename}: what it does, how, and what to watch out for.',
    around,
    target: 'newChat',
  },
  fix: {
    words: `Fix this code from \${fileBasename}. Keep what works, its style and its names. ${onlyCode}`,
    around: `Problems that the editor reports:\n\${diagnostics}\n\n${around}`,
    target: 'replace',
  },
  simplify: {
    words: `Improve this code from \${fileBasename}: make it clearer and simpler without changing what it does. Keep its style. ${onlyCode}`,
    around,
    target: 'replace',
  },
  generateTests: {
    words:
      'Write tests for this code from ${fileBasename}. Cover the edge cases. Use the test framework of the project, or else the one usual for the language.',
    around: `\${testSetup}\n\n${around}`,
    target: 'beside',
  },
  generateDocs: {
    words: `Add documentation comments to this code from \${fileBasename}, in the form usual for the language. Change nothing else. ${onlyCode}`,
    around,
    target: 'replace',
  },
  translate: {
    words: 'Translate this from ${fileBasename} to ${input:language}. Keep its meaning and its structure.',
    around: '',
    target: 'beside',
  },
  review: {
    words: 'Review this code from ${fileBasename}. Name bugs and risks first, then what could be simpler.',
    around,
    target: 'newChat',
  },
};

/** Parlance's own prompts, in the order of the menu. */
export function builtInPrompts(): Readonly<Record<BuiltInPromptId, PromptDefinition>> {
  const titles: Readonly<Record<BuiltInPromptId, string>> = {
    explain: l10n.t('Explain'),
    fix: l10n.t('Fix'),
    simplify: l10n.t('Simplify'),
    generateTests: l10n.t('Generate Tests'),
    generateDocs: l10n.t('Generate Docs'),
    translate: l10n.t('Translate Text…'),
    review: l10n.t('Review'),
  };
  return mapTable(titles, (title, id) => {
    const { words, around: besides, target } = builtIns[id];
    const template = `${words}\n\n${besides}${code}`;
    return { title, template, bareTemplate: `${words}\n\n${code}`, target, options: {}, isForeign: false };
  });
}

/** Sends only the selection, unchanged. */
export function selectionPrompt(title: string): PromptDefinition {
  return { title, template: '${selection}', target: 'newChat', options: {}, isForeign: false };
}

/** A question about the selection. */
export function questionPrompt(title: string): PromptDefinition {
  return {
    title,
    template: `\${input:question}\n\n${around}\${relativeFile}\n${code}`,
    target: 'newChat',
    options: {},
    isForeign: false,
  };
}
