import type { MediaKind, ParametersOf } from '../../shared/media.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type * as v from 'valibot';
import * as vscode from 'vscode';
import { pathOf } from '../attachments/sources/documentContext.ts';
import { modelText } from '../../core/models/modelText.ts';
import { modelFacts } from '../../core/models/modelFacts.ts';
import { speedOf } from '../../core/models/measuredModel.ts';
import { abilitiesOf, modelAbilities } from '../../core/models/modelAbilities.ts';
import { mediaPrice, type PricedRun } from '../../core/media/mediaPrice.ts';
import { formText } from '../../core/media/mediaFacts.ts';
import { paidUseQuestion, type PaidUse } from '../../core/media/paidUseQuestion.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { toolNames } from '../settings/contributions.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import type { Explainer } from '../problems/explainer.ts';
import { abortOf } from '../platform/abortOf.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { MadeFile, MediaMaker } from '../media/makeMedia.ts';
import { plainEitherWay } from '../platform/plainLabel.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import { findAudioFile, readAudioFile } from './audioFile.ts';
import { ConfirmedModels } from './confirmedModels.ts';
import { madePlace } from './madePlace.ts';
import { mediaModel } from './mediaModel.ts';
import { audioInput, givenBy, imageInput, type ToolInput, videoInput } from './toolInputs.ts';
import { bytesText } from '../../words/bytes.ts';

export interface AgentToolsDeps {
  readonly service: RequestTap;
  readonly models: Omit<ModelSources, 'votes'>;
  /** Reads the request history, which has the measured speeds. */
  readonly history: { digest(): Promise<unknown> };
  readonly services: { for(model: ModelRef): { readonly endpoint: Pick<EndpointSource, 'host'> } | undefined };
  readonly support: Pick<ServiceSupport, 'lackOf' | 'lacking' | 'load'>;
  readonly explainer: Explainer;
  /** Records and stores the results. */
  readonly media: () => Promise<MediaMaker>;
}

/** VS Code passes an agent's input on unchecked. */
export type AgentTool = vscode.LanguageModelTool<object>;

interface ListInput {
  readonly kind?: string;
}

/** A list of thousands would fill an agent's context window. */
const mostModels = 200;

type ToolName = (typeof toolNames)[keyof typeof toolNames];

const makers = {
  video: toolNames.generateVideo,
  image: toolNames.generateImage,
} as const satisfies Readonly<Record<MediaKind, ToolName>>;

/** Tools for agents. Those that cost money ask first, and show the model and its price. */
export function registerAgentTools(deps: AgentToolsDeps): ReadonlyMap<string, AgentTool> {
  const { models, explainer } = deps;
  const service = deps.service.from({ kind: 'languageModel' });
  const confirmed = new ConfirmedModels();
  // Nothing is charged and nothing private is sent, so no confirmation is needed.
  const list: vscode.LanguageModelTool<ListInput> = {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Fetching the model list') }),
    invoke: ({ input }, token) => answering(token, (signal) => listed(input, signal)),
  };
  const tools: Readonly<Record<ToolName, AgentTool>> = {
    [makers.video]: paid(makers.video, videoInput, {
      ask: async (input, signal) => {
        const model = await mediaModel('video', input.model, deps, signal);
        const { prompt, image } = input;
        const parameters = videoParameters(input, model.id);
        return {
          title: vscode.l10n.t('Generate a video?'),
          doing: vscode.l10n.t('Generating a video'),
          about: [
            ...(image === undefined ? [] : [vscode.l10n.t('Starts from the image at {0}', image)]),
            formText(parameters),
            prompt,
          ],
          ...priced(model, parameters),
        };
      },
      run: async (input, model, signal) => {
        const made = await (await deps.media()).make(videoParameters(input, model), signal);
        return made.map(
          (file) => new vscode.LanguageModelTextPart(`Video made with ${modelText(model)}: ${madePlace(placed(file))}`),
        );
      },
    }),
    [makers.image]: paid(makers.image, imageInput, {
      ask: async ({ prompt, model, width, height }, signal) => ({
        title: vscode.l10n.t('Generate an image?'),
        doing: vscode.l10n.t('Generating an image'),
        about: [width === undefined && height === undefined ? '' : `${width ?? '?'} × ${height ?? '?'}`, prompt],
        ...priced(await mediaModel('image', model, deps, signal), { kind: 'image' }),
      }),
      run: async (input, model, signal) => {
        const made = await (await deps.media()).make({ ...input, kind: 'image', model }, signal);
        const parts = made.map(async (file) => [
          new vscode.LanguageModelTextPart(`Image made with ${modelText(model)}: ${madePlace(placed(file))}`),
          ...(await pictureIn(file)),
        ]);
        return (await Promise.all(parts)).flat();
      },
    }),
    [toolNames.transcribeAudio]: paid(toolNames.transcribeAudio, audioInput, {
      ask: async ({ path, model }, signal) => {
        const { uri, name, size } = await findAudioFile(path);
        return {
          title: vscode.l10n.t('Send audio to be transcribed?'),
          doing: vscode.l10n.t('Transcribing {0}', name),
          model: await mediaModel('audio', model, deps, signal),
          about: [vscode.l10n.t('{0}, {1}', pathOf(uri), bytesText(size))],
        };
      },
      run: async ({ path }, model, signal) => {
        const file = await readAudioFile(await findAudioFile(path));
        const { audioTranscription } = await import('../../api/operations/audioTranscription.ts');
        const { text } = await service
          .forModel(model)
          .ask(audioTranscription({ model: refParts(model).model, file }), { signal });
        return [new vscode.LanguageModelTextPart(text)];
      },
    }),
    [toolNames.listModels]: list,
  };
  return new Map(Object.entries(tools));

  function paid<Input extends ToolInput>(
    name: ToolName,
    schema: v.GenericSchema<unknown, Input>,
    tool: PaidTool<Input>,
  ): AgentTool {
    return {
      prepareInvocation: ({ input: given }, token) =>
        inWords(token, async (signal) => {
          const input = givenBy(schema, given);
          const { title, doing, ...use } = await tool.ask(input, signal);
          confirmed.shown(name, input, use.model.id);
          const message = new vscode.MarkdownString(
            paidUseQuestion(use, deps.services.for(use.model.id)?.endpoint.host ?? ''),
          );
          return { invocationMessage: plainEitherWay(doing), confirmationMessages: { title, message } };
        }),
      invoke: ({ input: given }, token) =>
        answering(token, async (signal) => {
          const input = givenBy(schema, given);
          const model = confirmed.take(name, input) ?? (await tool.ask(input, signal)).model.id;
          return tool.run(input, model, signal);
        }),
    };
  }

  async function listed({ kind }: ListInput, signal: AbortSignal): Promise<readonly vscode.LanguageModelTextPart[]> {
    const { catalog } = models;
    await Promise.all([catalog.fetchMissing({ signal }), deps.history.digest()]);
    const ability = modelAbilities.find((each) => each === kind);
    const all = catalog.index.models.map(({ model }) => model);
    const wanted = ability === undefined ? all : all.filter((model) => abilitiesOf(model).has(ability));
    const rows = wanted.slice(0, mostModels).map((model) => {
      const facts = [
        [...abilitiesOf(model)].join('+'),
        modelFacts({ ...model, kind: 'chat' }, speedOf(models.measured.figures(model.id))),
      ];
      return [modelText(model.id), ...facts.filter((fact) => fact !== '')].join(' · ');
    });
    const rest = wanted.length - rows.length;
    const more = rest > 0 ? [`and ${rest} more; ask for one kind`] : [];
    return [new vscode.LanguageModelTextPart([`${wanted.length} models`, ...rows, ...more].join('\n'))];
  }

  async function answering(
    token: vscode.CancellationToken,
    run: (signal: AbortSignal) => Promise<readonly (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]>,
  ): Promise<vscode.LanguageModelToolResult> {
    return new vscode.LanguageModelToolResult([...(await inWords(token, run))]);
  }

  /** An agent reads error messages too, and might do better next time. */
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

/** The input as the Media view has it. */
function videoParameters(
  { image, aspect_ratio: aspectRatio, ...form }: v.InferOutput<typeof videoInput>,
  model: ModelRef,
): ParametersOf<'video'> {
  return {
    ...form,
    kind: 'video',
    model,
    ...(image !== undefined && { image: { kind: 'address', url: image } }),
    ...(aspectRatio !== undefined && { aspectRatio }),
  };
}

/** Where an agent finds it. The file is permanent; a URL might not be. */
function placed({ uri, url, problem }: MadeFile): Parameters<typeof madePlace>[0] {
  const own = vscode.extensions.getExtension('parlance.parlance');
  const isElsewhere = vscode.env.remoteName !== undefined && own?.extensionKind === vscode.ExtensionKind.UI;
  return { path: uri?.fsPath, url, problem, isElsewhere };
}

/** For a model with image input. */
async function pictureIn({ uri, mediaType }: MadeFile): Promise<readonly vscode.LanguageModelDataPart[]> {
  if (uri === undefined || mediaType === undefined) return [];
  return [vscode.LanguageModelDataPart.image(await vscode.workspace.fs.readFile(uri), mediaType)];
}

/** A tool that costs money at each use. */
interface PaidTool<Input> {
  readonly ask: (input: Input, signal: AbortSignal) => Promise<AskedUse>;
  readonly run: (
    input: Input,
    model: ModelRef,
    signal: AbortSignal,
  ) => Promise<readonly (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]>;
}

interface AskedUse extends PaidUse {
  readonly title: string;
  /** What is shown while it's running. */
  readonly doing: string;
}

function priced(model: ModelInfo, run: PricedRun): Pick<PaidUse, 'model' | 'price'> {
  const price = mediaPrice(model, run);
  return { model, ...(price !== undefined && { price }) };
}
