import * as v from 'valibot';
import { cardActions } from '../../core/problems/mediaProblems.ts';
import { mediaParametersSchema } from '../../core/media/mediaRecord.ts';
import { inputFields, longestWord, mediaKinds } from '../../shared/media.ts';
import { itemActs, type ToMediaHost } from '../../shared/protocol/mediaProtocol.ts';
import { formValuesSchema } from './formMemory.ts';

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const kind = v.picklist(mediaKinds);
const presetName = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

/** What a media page sends. */
export const mediaMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('run'), parameters: mediaParametersSchema }),
  v.object({ type: v.literal('formChanged'), values: formValuesSchema }),
  v.object({ type: v.literal('chooseModel'), current: v.pipe(v.string(), v.maxLength(1024)) }),
  v.object({ type: v.literal('chooseInput'), field: v.picklist(inputFields) }),
  v.object({ type: v.literal('savePreset'), values: formValuesSchema }),
  v.object({ type: v.literal('usePreset'), name: presetName }),
  v.object({ type: v.literal('deletePreset'), name: presetName }),
  v.object({ type: v.literal('openForm'), kind }),
  v.object({ type: v.literal('endInsert') }),
  v.object({
    type: v.literal('act'),
    id,
    output: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(63)),
    act: v.picklist(itemActs),
  }),
  v.object({ type: v.literal('restore'), id }),
  v.object({ type: v.literal('copyText'), text: v.pipe(v.string(), v.maxLength(4096)) }),
  v.object({
    type: v.literal('runAction'),
    action: v.picklist(cardActions),
    id: v.exactOptional(id),
    model: v.exactOptional(v.pipe(v.string(), v.maxLength(longestWord))),
  }),
]) satisfies v.GenericSchema<unknown, Extract<ToMediaHost, { type: string }>>;
