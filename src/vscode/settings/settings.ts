import * as vscode from 'vscode';
import type { ApiChoice, ApiForm } from '../../api/types.ts';
import { promptTargets } from '../../core/prompts/promptDefinition.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { settings as contributed } from './contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { ConfigurationSetting, type MisfitListener, type Setting } from './setting.ts';
import {
  flag,
  innerFolder,
  numberFrom,
  numberOrUnset,
  oneOf,
  pathSegment,
  textUpTo,
  webAddress,
} from './settingRules.ts';

const maxAddressLength = 2048;

/** The service's web pages that the user named, for the buttons of problem cards. */
export interface ServicePages {
  readonly keys?: string;
  readonly credits?: string;
  readonly inferenceLog?: string;
}

/** Parlance's settings, one field each. */
export class Settings implements vscode.Disposable {
  /** As the user wrote it; `api/baseUrl` says whether it is an address. */
  readonly baseUrl: Setting<string>;
  /** Empty when it is to be derived from the base address. */
  readonly nativeUrl: Setting<string>;
  /** The service's own name in native paths. */
  readonly nativeSegment: Setting<string>;
  /** Empty when the service has no older host. */
  readonly legacyBaseUrl: Setting<string>;
  readonly keysPage: Setting<string>;
  readonly creditsPage: Setting<string>;
  readonly inferenceLogPage: Setting<string>;
  /** Empty when none was chosen. */
  readonly model: Setting<string>;
  readonly systemPrompt: Setting<string>;
  readonly maxTokens: Setting<number | null>;
  readonly temperature: Setting<number | null>;
  readonly topP: Setting<number | null>;
  readonly stream: Setting<boolean>;
  /** Age from which a looked-at list of models is fetched anew; 0 for never. */
  readonly refreshAfterMinutes: Setting<number>;
  /** Where replies of prompts go; `auto` where each prompt says. */
  readonly promptTarget: Setting<(typeof contributed.promptTarget)['default']>;
  /** From how many tokens on a person is asked first; null is never. */
  readonly promptAskAboveTokens: Setting<number | null>;
  /** Longer side of a picture that is sent; null leaves pictures as they are. */
  readonly maxPicturePixels: Setting<number | null>;
  /** The API that pictures are sent to. */
  readonly pictureApi: Setting<ApiChoice>;
  /** The API that other chats go to. */
  readonly chatApi: Setting<ApiForm>;
  /** How long a reply may take to begin; null is what suits the host. */
  readonly firstByteSeconds: Setting<number | null>;
  /** Where files go that are inserted into a document, relative to it; empty for beside it. */
  readonly imageFolder: Setting<string>;
  /** The API that images and transcripts are asked of. */
  readonly mediaApi: Setting<ApiChoice>;
  /** Whether a transcript is asked for with times in it. */
  readonly transcriptTimes: Setting<boolean>;
  /** Which models VS Code's own chat offers. */
  readonly modelsInNativeChat: Setting<'favourites' | 'all'>;
  /** Whether a Trace log shows what was said. */
  readonly logBodies: Setting<boolean>;

  /** Whether the request log keeps what was asked and answered. */
  readonly requestsKeepBodies: Setting<boolean>;
  readonly requestsMaxCount: Setting<number>;
  readonly requestsMaxMegabytes: Setting<number>;
  /** Currency units; null for none. */
  readonly requestsDailyBudget: Setting<number | null>;

  readonly #disposables = new DisposableList();
  readonly #chatDefaultsChanged = this.#disposables.add(new vscode.EventEmitter<ChatOptions>());

  /** Fires with the new defaults, once for each setting that changed. */
  readonly onDidChangeChatDefaults = this.#chatDefaultsChanged.event;

  constructor(onMisfit: MisfitListener) {
    const own = this.#disposables;
    const page = webAddress(maxAddressLength);
    const address = textUpTo(maxAddressLength);
    this.baseUrl = own.add(new ConfigurationSetting(contributed.baseUrl, address, onMisfit));
    this.nativeUrl = own.add(new ConfigurationSetting(contributed.nativeUrl, address, onMisfit));
    this.nativeSegment = own.add(new ConfigurationSetting(contributed.nativeSegment, pathSegment, onMisfit));
    this.legacyBaseUrl = own.add(new ConfigurationSetting(contributed.legacyBaseUrl, address, onMisfit));
    this.keysPage = own.add(new ConfigurationSetting(contributed.keysPage, page, onMisfit));
    this.creditsPage = own.add(new ConfigurationSetting(contributed.creditsPage, page, onMisfit));
    this.inferenceLogPage = own.add(new ConfigurationSetting(contributed.inferenceLogPage, page, onMisfit));
    this.model = own.add(new ConfigurationSetting(contributed.model, textUpTo(256), onMisfit));
    this.systemPrompt = own.add(new ConfigurationSetting(contributed.systemPrompt, textUpTo(100_000), onMisfit));
    this.maxTokens = own.add(
      new ConfigurationSetting(contributed.maxTokens, numberOrUnset({ integer: true, min: 1 }), onMisfit),
    );
    this.temperature = own.add(new ConfigurationSetting(contributed.temperature, numberOrUnset({ min: 0 }), onMisfit));
    this.topP = own.add(new ConfigurationSetting(contributed.topP, numberOrUnset({ above: 0, max: 1 }), onMisfit));
    this.stream = own.add(new ConfigurationSetting(contributed.stream, flag, onMisfit));
    this.refreshAfterMinutes = own.add(
      new ConfigurationSetting(contributed.refreshAfterMinutes, numberFrom(0, 10_080), onMisfit),
    );
    this.promptTarget = own.add(
      new ConfigurationSetting(contributed.promptTarget, oneOf(['auto', 'ask', ...promptTargets]), onMisfit),
    );
    this.promptAskAboveTokens = own.add(
      new ConfigurationSetting(contributed.promptAskAboveTokens, numberOrUnset({ integer: true, min: 1 }), onMisfit),
    );
    this.maxPicturePixels = own.add(
      new ConfigurationSetting(
        contributed.maxPicturePixels,
        numberOrUnset({ integer: true, min: 64, max: 16_384 }),
        onMisfit,
      ),
    );
    this.pictureApi = own.add(
      new ConfigurationSetting(contributed.pictureApi, oneOf(['auto', 'native', 'compatible']), onMisfit),
    );
    this.chatApi = own.add(new ConfigurationSetting(contributed.chatApi, oneOf(['native', 'compatible']), onMisfit));
    this.firstByteSeconds = own.add(
      new ConfigurationSetting(contributed.firstByteSeconds, numberOrUnset({ min: 1, max: 86_400 }), onMisfit),
    );
    this.imageFolder = own.add(new ConfigurationSetting(contributed.imageFolder, innerFolder, onMisfit));
    this.mediaApi = own.add(
      new ConfigurationSetting(contributed.mediaApi, oneOf(['auto', 'native', 'compatible']), onMisfit),
    );
    this.transcriptTimes = own.add(new ConfigurationSetting(contributed.transcriptTimes, flag, onMisfit));
    const offered = oneOf(['favourites', 'all']);
    this.modelsInNativeChat = own.add(new ConfigurationSetting(contributed.modelsInNativeChat, offered, onMisfit));
    this.logBodies = own.add(new ConfigurationSetting(contributed.logBodies, flag, onMisfit));
    this.requestsKeepBodies = own.add(new ConfigurationSetting(contributed.requestsKeepBodies, flag, onMisfit));
    const maxCount = numberFrom(10, 1_000_000);
    this.requestsMaxCount = own.add(new ConfigurationSetting(contributed.requestsMaxCount, maxCount, onMisfit));
    const maxMegabytes = numberFrom(1, 10_000);
    this.requestsMaxMegabytes = own.add(
      new ConfigurationSetting(contributed.requestsMaxMegabytes, maxMegabytes, onMisfit),
    );
    const budget = numberOrUnset({ above: 0 });
    this.requestsDailyBudget = own.add(new ConfigurationSetting(contributed.requestsDailyBudget, budget, onMisfit));

    const chatSettings = [this.model, this.systemPrompt, this.maxTokens, this.temperature, this.topP, this.stream];
    for (const setting of chatSettings) {
      own.add(setting.onDidChange(() => this.#chatDefaultsChanged.fire(this.chatDefaults())));
    }
  }

  /** For conversations that leave a field open. What is not set is absent. */
  chatDefaults(): ChatOptions {
    const model = this.model.value.trim();
    const systemPrompt = this.systemPrompt.value;
    const maxTokens = this.maxTokens.value;
    const temperature = this.temperature.value;
    const topP = this.topP.value;
    return {
      ...(model === '' ? {} : { model }),
      ...(systemPrompt.trim() === '' ? {} : { systemPrompt }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      stream: this.stream.value,
    };
  }

  pages(): ServicePages {
    const keys = this.keysPage.value;
    const credits = this.creditsPage.value;
    const inferenceLog = this.inferenceLogPage.value;
    return {
      ...(keys === '' ? {} : { keys }),
      ...(credits === '' ? {} : { credits }),
      ...(inferenceLog === '' ? {} : { inferenceLog }),
    };
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
