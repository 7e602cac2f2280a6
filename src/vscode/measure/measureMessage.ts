import * as v from 'valibot';
import { cardActions } from '../../core/problems/mediaProblems.ts';
import { measureFormats, type ToMeasureHost } from '../../shared/protocol/measureProtocol.ts';
import {
  longestOwnText,
  measureFields,
  type MeasureForm,
  measureOrders,
  takenWorkloads,
  workloads,
} from '../../shared/measuring.ts';
import { mapTable } from '../../shared/mapTable.ts';

/** Larger ones aren't our charts. */
const largestChart = 16 * 1024 * 1024;

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(1024));
const typed = v.pipe(v.string(), v.maxLength(1024));
const chartName = v.pipe(v.string(), v.regex(/^[a-z-]{1,40}$/));

/** The form as a page sends it and as it's stored. */
export const measureFormSchema = v.object({
  models: v.pipe(v.array(v.object({ id: name })), v.maxLength(10_000)),
  workload: v.picklist(workloads),
  ownText: v.pipe(v.string(), v.maxLength(longestOwnText)),
  usesUniquePrefix: v.boolean(),
  order: v.picklist(measureOrders),
  fields: v.object(mapTable(measureFields, () => typed)),
}) satisfies v.GenericSchema<unknown, MeasureForm>;

/** What the page of Measure Models sends. */
export const measureMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('formChanged'), form: measureFormSchema }),
  v.object({ type: v.literal('addModel') }),
  v.object({ type: v.literal('takePrompt'), from: v.picklist(takenWorkloads) }),
  v.object({ type: v.literal('usePreset') }),
  v.object({ type: v.literal('run'), form: measureFormSchema }),
  v.object({ type: v.literal('stop') }),
  v.object({ type: v.literal('resume'), id }),
  v.object({ type: v.literal('showRun'), id }),
  v.object({ type: v.literal('compareWith'), id: v.union([v.literal(''), id]) }),
  v.object({ type: v.literal('deleteRun'), id }),
  v.object({ type: v.literal('exportRun'), id, format: v.picklist(measureFormats) }),
  v.object({ type: v.literal('openRequest'), attempt: id }),
  v.object({ type: v.literal('saveSvg'), name: chartName, text: v.pipe(v.string(), v.maxLength(largestChart)) }),
  v.object({
    type: v.literal('savePng'),
    name: chartName,
    bytes: v.pipe(
      v.instance(Uint8Array),
      v.check((bytes) => bytes.byteLength <= largestChart),
    ),
  }),
  v.object({
    type: v.literal('runAction'),
    action: v.picklist(cardActions),
    service: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  }),
  v.object({ type: v.literal('copyText'), text: v.pipe(v.string(), v.maxLength(4096)) }),
]) satisfies v.GenericSchema<unknown, Extract<ToMeasureHost, { type: string }>>;
