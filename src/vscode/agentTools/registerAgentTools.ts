import * as vscode from 'vscode';
import { compactTokens, modelFacts } from '../../core/modelFacts.ts';
import { abilitiesOf, modelAbilities } from '../../core/modelAbilities.ts';
import { mediaPrice, type PricedRun } from '../../core/mediaPrice.ts';
import { paidUseQuestion, videoForm, type PaidUse } from '../../core/paidUseQuestion.ts';
import type { ModelInfo } from '../../api/types.ts';
import { toolNames } from '../contributions.ts';
import type { EndpointSource } from '../endpoint.ts';
import type { Explainer } from '../explainer.ts';
import { abortOf } from '../languageModel/abortOf.ts';
import { speedOf } from '../models/modelItem.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { RecordedCalls } from '../requests/recordedCalls.ts';
import type { Settings } from '../settings.ts';
import { findAudioFile, readAudioFile } from './audioFile.ts';
import { ConfirmedModels } from './confirmedModels.ts';
import { mediaModel } from './mediaModel.ts';
import { placeImages } from './savedImages.ts';

export interface AgentToolsDeps {
  readonly service: RecordedCalls;
  readonly models: ModelSources;
  /** Reads the log of requests, where the speed of models is from. */
  readonly history: { digest(): Promise<unknown> };
  readonly endpoint: Pick<EndpointSource, 'host'>;
  readonly explainer: Explainer;
  readonly settings: Pick<Settings, 'mediaApi'>;
  /** Images that come as bytes are kept here. */
  readonly storageUri: vscode.Uri;
}

/** VS Code has checked what an agent gave against the manifest. */
export type AgentTool = vscode.LanguageModelTool<object>;

interface VideoInput {
  readonly prompt: string;
  readonly model?: string;
  readonly duration?: number;
  readonly resolution?: string;
  readonly fps?: number;
  readonly aspect_ratio?: string;
  readonly image?: string;
  readonly draft?: boolean;
}

interface ImageInput {
  readonly prompt: string;
  readonly model?: string;
  readonly width?: number;
  readonly height?: number;
  readonly seed?: number;
}

interface AudioInput {
  readonly path: string;
  readonly model?: string;
}

interface ListInput {
  readonly kind?: string;
}

/** What an agent may decide; anything else that it made up is not sent. */
const videoFields = ['prompt', 'duration', 'resolution', 'fps', 'aspect_ratio', 'image', 'draft'] as const;
const imageFields = ['width', 'height', 'seed'] as const;

/** A catalogue of thousands would fill an agent's memory. */
const mostModels = 200;

/** Tools that agents may call. Those that cost something ask first, and say with which model and at what price. */
export function registerAgentTools(deps: AgentToolsDeps): ReadonlyMap<string, AgentTool> {
  const { models, explainer } = deps;
  const api = () => deps.settings.mediaApi.value;
  const service = deps.service.from({ kind: 'languageModel' });
  const tools = new Map<string, AgentTool>();
  const confirmed = new ConfirmedModels();

  register<VideoInput>(toolNames.generateVideo, {
    ask: async ({ prompt, image, ...form }, signal) => {
      const { duration, draft } = form;
      const run = { kind: 'video', ...(duration !== undefined && { duration }), ...(draft && { draft }) } as const;
      return {
        title: vscode.l10n.t('Make a video?'),
        doing: vscode.l10n.t('Making a video'),
        about: [
          ...(image === undefined ? [] : [vscode.l10n.t('Starts from the picture at {0}', image)]),
          videoForm(form),
          prompt,
        ],
        ...priced(await mediaModel('video', form.model, models, signal), run),
      };
    },
    run: async (input, model, signal) => {
      const request = { ...only(input, videoFields), model };
      const { videos } = await service.generateVideo(request, { signal });
      return videos.map(({ url }) => new vscode.LanguageModelTextPart(`Video made with ${model}: ${url}`));
    },
  });
  register<ImageInput>(toolNames.generateImage, {
    ask: async ({ prompt, model, width, height }, signal) => ({
      title: vscode.l10n.t('Make an image?'),
      doing: vscode.l10n.t('Making an image'),
      about: [width === undefined && height === undefined ? '' : `${width ?? '?'} × ${height ?? '?'}`, prompt],
      ...priced(await mediaModel('image', model, models, signal), { kind: 'image' }),
    }),
    run: async (input, model, signal) => {
      const request = { ...only(input, imageFields), model, positive_prompt: input.prompt };
      const answer = await service.generateImage(request, { signal, api: api() });
      const placed = await placeImages(answer, vscode.Uri.joinPath(deps.storageUri, 'images'));
      return placed.flatMap(({ uri, image }) => [
        new vscode.LanguageModelTextPart(
          `Image made with ${model}: ${uri.scheme === 'file' ? uri.fsPath : uri.toString(true)}`,
        ),
        ...(image.kind === 'bytes' ? [vscode.LanguageModelDataPart.image(image.bytes, image.mediaType)] : []),
      ]);
    },
  });
  register<AudioInput>(toolNames.transcribeAudio, {
    ask: async ({ path, model }, signal) => {
      const { name, size } = await findAudioFile(path);
      return {
        title: vscode.l10n.t('Send a recording to be transcribed?'),
        doing: vscode.l10n.t('Transcribing {0}', name),
        model: await mediaModel('audio', model, models, signal),
        about: [vscode.l10n.t('{0}, {1} kB', name, Math.ceil(size / 1000))],
      };
    },
    run: async ({ path }, model, signal) => {
      const file = await readAudioFile(await findAudioFile(path));
      const { text } = await service.transcribeAudio({ model, file }, { signal, api: api() });
      return [new vscode.LanguageModelTextPart(text)];
    },
  });
  const list: vscode.LanguageModelTool<ListInput> = {
    // Nothing is charged and nothing of the person's leaves, so nobody is asked.
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Listing the models of the service') }),
    invoke: ({ input }, token) => answering(token, (signal) => listed(input, signal)),
  };
  tools.set(toolNames.listModels, list);
  return tools;

  function register<Input extends { readonly model?: string }>(name: string, tool: PaidTool<Input>): void {
    const asked: vscode.LanguageModelTool<Input> = {
      prepareInvocation: ({ input }, token) =>
        inWords(token, async (signal) => {
          const { title, doing, ...use } = await tool.ask(input, signal);
          confirmed.shown(name, input, use.model.id);
          const message = new vscode.MarkdownString(paidUseQuestion(use, deps.endpoint.host));
          return { invocationMessage: doing, confirmationMessages: { title, message } };
        }),
      invoke: ({ input }, token) =>
        answering(token, async (signal) => {
          const model = confirmed.take(name, input) ?? (await tool.ask(input, signal)).model.id;
          return tool.run(input, model, signal);
        }),
    };
    tools.set(name, asked);
  }

  async function listed({ kind }: ListInput, signal: AbortSignal): Promise<readonly vscode.LanguageModelTextPart[]> {
    const { catalogue } = models;
    await Promise.all([catalogue.load(), deps.history.digest()]);
    if (catalogue.fetchedAt === undefined) await catalogue.refresh({ signal });
    const ability = modelAbilities.find((each) => each === kind);
    const all = catalogue.index.models.map(({ model }) => model);
    const wanted = ability === undefined ? all : all.filter((model) => abilitiesOf(model).has(ability));
    const rows = wanted.slice(0, mostModels).map((model) => {
      const facts = [
        [...abilitiesOf(model)].join('+'),
        modelFacts({ ...model, kind: 'chat' }, speedOf(models.measured.figures(model.id))),
      ];
      return [model.id, ...facts.filter((fact) => fact !== '')].join(' · ');
    });
    const rest = wanted.length - rows.length;
    const more = rest > 0 ? [`and ${compactTokens(rest)} more; ask for one kind`] : [];
    return [new vscode.LanguageModelTextPart([`${wanted.length} models`, ...rows, ...more].join('\n'))];
  }

  async function answering(
    token: vscode.CancellationToken,
    run: (signal: AbortSignal) => Promise<readonly (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]>,
  ): Promise<vscode.LanguageModelToolResult> {
    return new vscode.LanguageModelToolResult([...(await inWords(token, run))]);
  }

  /** An agent reads the words of a failure too, and may do better the next time. */
  async function inWords<T>(token: vscode.CancellationToken, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    using abort = abortOf(token);
    try {
      return await run(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) throw new vscode.CancellationError();
      throw explainer.toldError(error);
    }
  }
}

function only<T extends object>(input: T, fields: readonly (keyof T & string)[]): T {
  const wanted: ReadonlySet<string> = new Set(fields);
  const copy = { ...input };
  for (const field of Object.keys(copy)) if (!wanted.has(field)) Reflect.deleteProperty(copy, field);
  return copy;
}

/** A tool that costs something at each use. */
interface PaidTool<Input> {
  readonly ask: (input: Input, signal: AbortSignal) => Promise<AskedUse>;
  readonly run: (
    input: Input,
    model: string,
    signal: AbortSignal,
  ) => Promise<readonly (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]>;
}

interface AskedUse extends PaidUse {
  readonly title: string;
  /** What is shown while it runs. */
  readonly doing: string;
}

function priced(model: ModelInfo, run: PricedRun): Pick<PaidUse, 'model' | 'price'> {
  const price = mediaPrice(model, run);
  return { model, ...(price !== undefined && { price }) };
}
