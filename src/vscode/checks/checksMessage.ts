import * as v from 'valibot';
import { checksExportForms, checksOrders } from '../../shared/checks.ts';
import type { ChecksToHost } from '../../shared/protocol/checksProtocol.ts';

const text = v.pipe(v.string(), v.maxLength(8192));

/** What the page of checks sends. */
export const checksMessageSchema: v.GenericSchema<unknown, ChecksToHost> = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'run', 'stop', 'newFile', 'showAll', 'deleteResults']) }),
  v.object({ type: v.literal('order'), order: v.picklist(checksOrders) }),
  v.object({ type: v.literal('useModel'), key: text }),
  v.object({ type: v.literal('open'), uri: text, caseId: text, key: text }),
  v.object({ type: v.literal('showLine'), uri: text, line: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  v.object({ type: v.literal('showRequest'), attempt: text }),
  v.object({ type: v.literal('export'), form: v.picklist(checksExportForms) }),
]);
