import { promptTargets } from '../../core/prompts/promptDefinition.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { chatParameters } from '../../shared/chatParameters.ts';
import { mapTable } from '../../shared/mapTable.ts';
import { numberKinds } from '../../shared/numberKinds.ts';
import { contributed, modelSetting } from './contributedSetting.ts';
import { anything, flag, innerFolder, numberFrom, numberOrUnset, oneOf, textUpTo } from './settingRules.ts';

const replyLocation = oneOf(['auto', 'ask', ...promptTargets]);
const offeredModels = oneOf(['favorites', 'all']);

/** Parlance's settings, mirrored once. A unit test compares them with package.json. */
export const settings = {
  /** As the user wrote it. `readServices` reports its errors. */
  services: contributed<unknown>('parlance.services', [], anything),
  model: modelSetting,
  systemPrompt: contributed('parlance.chat.systemPrompt', '', textUpTo(100_000)),
  /** A null value isn't set, and not sent. */
  ...mapTable(chatParameters, ({ kind }, name) =>
    contributed(`parlance.chat.${name}`, null, numberOrUnset(numberKinds[kind])),
  ),
  stream: contributed('parlance.chat.stream', true, flag),
  /** Maximum age of a visible model list before it's fetched again; 0 for never. */
  refreshAfterMinutes: contributed('parlance.models.refreshAfterMinutes', 60, numberFrom(0, 10_080)),
  /** Where replies of prompts are put; `auto` if each prompt decides. */
  replyLocation: contributed('parlance.prompts.replyLocation', 'auto', replyLocation),
  /** The number of tokens above which the user is asked first; null for never. */
  promptConfirmAboveTokens: contributed(
    'parlance.prompts.confirmAboveTokens',
    20_000,
    numberOrUnset(numberKinds.count),
  ),
  /** Whether the code around the selection is sent with it. */
  promptSurroundingCode: contributed('parlance.prompts.includeSurroundingCode', true, flag),
  /** Longest side of an image that is sent, in pixels; null leaves images as they are. */
  maxImageSize: contributed('parlance.chat.maxImageSize', 1568, numberOrUnset({ integer: true, min: 64, max: 16_384 })),
  /** How long a reply can take to start; null for a default that depends on the host. */
  firstByteSeconds: contributed('parlance.chat.firstByteSeconds', null, numberOrUnset({ min: 1, max: 86_400 })),
  /** Folder for files that are inserted into a document, relative to it; empty for the document's own. */
  insertFolder: contributed('parlance.media.insertFolder', '', innerFolder, 'window'),
  /** Whether timestamps are requested for a transcript. */
  transcriptTimes: contributed('parlance.media.requestTimestamps', false, flag),
  /** Which models VS Code's own chat offers. */
  modelsInVSCodeChat: contributed('parlance.models.showInVSCodeChat', 'favorites', offeredModels),
  /** Whether a Trace log includes content. */
  logContent: contributed('parlance.log.includeContent', false, flag),
  /** Whether the request history stores questions and replies. */
  requestsSaveContent: contributed('parlance.requests.saveContent', true, flag),
  requestsMaxCount: contributed('parlance.requests.maxCount', 100_000, numberFrom(10, 1_000_000)),
  requestsMaxMegabytes: contributed('parlance.requests.maxMegabytes', 200, numberFrom(1, 10_000)),
  /** In currency units; null for none. */
  requestsDailyBudget: contributed('parlance.requests.dailyBudget', null, numberOrUnset({ above: 0 })),
  /** In currency units: the cost of a comparison or a measurement above which the user is asked; null for never. */
  modelsConfirmAboveCost: contributed('parlance.models.confirmAboveCost', 1, numberOrUnset({ min: 0 })),
  /** Number of requests in a run of checks above which the user is asked; null for never. */
  checksConfirmAboveRequests: contributed(
    'parlance.checks.confirmAboveRequests',
    50,
    numberOrUnset({ min: 0, integer: true }),
  ),
  /** Cost of a run of checks, in currency units, above which the user is asked; null for never. */
  checksConfirmAboveCost: contributed('parlance.checks.confirmAboveCost', 0.1, numberOrUnset({ min: 0 })),
} as const satisfies Readonly<Record<keyof ChatOptions, unknown>> & Readonly<Record<string, unknown>>;
