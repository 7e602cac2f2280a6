import type { ModelRef } from '../../shared/modelRef.ts';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { modelFromText } from '../../core/models/modelText.ts';
import { longestAddress, longestPrompt, longestWord } from '../../shared/media.ts';

const prompt = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(longestPrompt));
// Named as users name it, with its service if there are several. Some agents send an empty string for the default.
const model = v.pipe(
  v.string(),
  v.maxLength(longestWord),
  v.transform((text): ModelRef => (text === '' ? '' : modelFromText(text))),
);
const word = v.pipe(v.string(), v.minLength(1), v.maxLength(longestWord));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What an agent can decide. Anything else that it invented is ignored. */
export const videoInput = v.object({
  prompt,
  model: v.exactOptional(model),
  duration: v.exactOptional(count),
  resolution: v.exactOptional(word),
  fps: v.exactOptional(count),
  aspect_ratio: v.exactOptional(word),
  image: v.exactOptional(v.pipe(v.string(), v.maxLength(longestAddress), v.regex(/^(https?:|data:image\/)/i))),
  draft: v.exactOptional(v.boolean()),
});

export const imageInput = v.object({
  prompt,
  model: v.exactOptional(model),
  width: v.exactOptional(count),
  height: v.exactOptional(count),
  seed: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
});

export const audioInput = v.object({
  path: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)),
  model: v.exactOptional(model),
});

/** What the tools that cost money have in common. */
export interface ToolInput {
  readonly model?: ModelRef;
}

/** @throws {Error} with a message that an agent can act on. */
export function givenBy<Input>(schema: v.GenericSchema<unknown, Input>, given: unknown): Input {
  const parsed = v.safeParse(schema, given);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(vscode.l10n.t('The agent\'s "{0}" isn\'t valid: {1}.', v.getDotPath(issue) ?? '', issue.message));
}
