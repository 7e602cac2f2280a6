import { promptTargets } from '../../core/prompts/promptDefinition.ts';
import { chatParameters } from '../../shared/chatParameters.ts';
import { mapTable } from '../../shared/mapTable.ts';
import { numberKinds } from '../../shared/numberKinds.ts';
import { contributed, modelSetting } from './contributedSetting.ts';
import { anything, flag, innerFolder, numberFrom, numberOrUnset, oneOf, textUpTo } from './settingRules.ts';

const replyLocation = oneOf(['auto', 'ask', ...promptTargets]);
const offeredModels = oneOf(['favorites', 'all']);

/** Parlance's settings, mirrored once. A unit test holds them and package.json to each other. */
export const settings = {
  /** As the user wrote it; `readServices` says what of it fits. */
  services: contributed<unknown>('parlance.services', [], anything),
  model: modelSetting,
  systemPrompt: contributed('parlance.chat.systemPrompt', '', textUpTo(100_000)),
  /** What is null is not set, and not sent. */
  ...mapTable(chatParameters, ({ kind }, name) =>
    contributed(`parlance.chat.${name}`, null, numberOrUnset(numberKinds[kind])),
  ),
  stream: contributed('parlance.chat.stream', true, flag),
  /** Age from which a looked-at list of models is fetched anew; 0 for never. */
  refreshAfterMinutes: contributed('parlance.models.refreshAfterMinutes', 60, numberFrom(0, 10_080)),
  /** Where replies of prompts go; `auto` where each prompt says. */
  replyLocation: contributed('parlance.prompts.replyLocation', 'auto', replyLocation),
  /** From how many tokens on a person is asked first; null is never. */
  promptConfirmAboveTokens: contributed(
    'parlance.prompts.confirmAboveTokens',
    20_000,
    numberOrUnset(numberKinds.count),
  ),
  /** Whether what is around selected code goes with it. */
  promptSurroundingCode: contributed('parlance.prompts.includeSurroundingCode', true, flag),
  /** Longer side of a picture that is sent; null leaves pictures as they are. */
  maxImageSize: contributed('parlance.chat.maxImageSize', 1568, numberOrUnset({ integer: true, min: 64, max: 16_384 })),
  /** How long a reply may take to begin; null is what suits the host. */
  firstByteSeconds: contributed('parlance.chat.firstByteSeconds', null, numberOrUnset({ min: 1, max: 86_400 })),
  /** Where files go that are inserted into a document, relative to it; empty for beside it. */
  insertFolder: contributed('parlance.media.insertFolder', '', innerFolder, 'window'),
  /** Whether a transcript is asked for with times in it. */
  transcriptTimes: contributed('parlance.media.requestTimestamps', false, flag),
  /** Which models VS Code's own chat offers. */
  modelsInVSCodeChat: contributed('parlance.models.showInVSCodeChat', 'favorites', offeredModels),
  /** Whether a Trace log shows what was said. */
  logContent: contributed('parlance.log.includeContent', false, flag),
  /** Whether the request log keeps what was asked and answered. */
  requestsSaveContent: contributed('parlance.requests.saveContent', true, flag),
  requestsMaxCount: contributed('parlance.requests.maxCount', 100_000, numberFrom(10, 1_000_000)),
  requestsMaxMegabytes: contributed('parlance.requests.maxMegabytes', 200, numberFrom(1, 10_000)),
  /** Currency units; null for none. */
  requestsDailyBudget: contributed('parlance.requests.dailyBudget', null, numberOrUnset({ above: 0 })),
  /** Currency units that an experiment may cost before the user is asked; null is never. */
  experimentsConfirmAboveCost: contributed('parlance.experiments.confirmAboveCost', 1, numberOrUnset({ min: 0 })),
} as const;
