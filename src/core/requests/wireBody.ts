import type { GeneratedVideo, ImageAnswer, Transcript, VideoAnswer } from '../../api/mediaTypes.ts';
import type { ToolCall } from '../../api/toolTypes.ts';
import type { ModelInfo, ServiceMetrics, Usage } from '../../api/types.ts';
import type { ReceivedBody } from './requestBody.ts';

/** Longer texts are files in disguise: pictures that were sent along with a message. */
const maxDataAddress = 4096;
const maxModels = 1000;

/** What a chat's events came to. */
export interface ChatAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  readonly metrics: ServiceMetrics | undefined;
  /** Everything the service sent beside the choices; absent where the reply didn't come to its end. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** A reply as one document: what the service sent as it came, with the text of a stream joined. */
export function chatBody(answer: ChatAnswer): ReceivedBody {
  const { text, reasoning, toolCalls = [], finishReason, usage, metrics, fields } = answer;
  return {
    ...fields,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallBody) }),
        },
        ...(finishReason !== undefined && { finish_reason: finishReason }),
      },
    ],
    ...(usage !== undefined &&
      fields?.['usage'] === undefined && {
        usage: named({
          prompt_tokens: usage.promptTokens,
          completion_tokens: usage.completionTokens,
          total_tokens: usage.totalTokens,
        }),
      }),
    ...(metrics !== undefined &&
      fields?.['x_metrics'] === undefined && {
        x_metrics: named({
          ttft_seconds: metrics.ttftSeconds,
          tps: metrics.tokensPerSecond,
          total_time_seconds: metrics.totalTimeSeconds,
        }),
      }),
  };
}

function toolCallBody({ id, name, input }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

export function videoBody({ created, videos }: VideoAnswer): ReceivedBody {
  return { ...named({ created }), data: videos.map(videoRow) };
}

/** Without the video itself. */
function videoRow(video: GeneratedVideo): object {
  return video.kind === 'url' ? video.raw : { ...video.raw, media_type: video.mediaType, bytes: video.bytes.length };
}

/** Without the pictures themselves. */
export function imageBody({ created, images }: ImageAnswer): ReceivedBody {
  const data = images.map((image) =>
    image.kind === 'url' ? { url: image.url } : { media_type: image.mediaType, bytes: image.bytes.length },
  );
  return { ...named({ created }), data };
}

export function transcriptBody({ text, segments, language, durationSeconds }: Transcript): ReceivedBody {
  return {
    text,
    ...named({ language, duration: durationSeconds }),
    ...(segments.length > 0 && {
      segments: segments.map(({ startSeconds, endSeconds, text: words }) => ({
        start: startSeconds,
        end: endSeconds,
        text: words,
      })),
    }),
  };
}

/** The models' names: a catalogue has a view of its own, and would fill the log. */
export function catalogueBody(models: readonly ModelInfo[]): ReceivedBody {
  return { count: models.length, data: models.slice(0, maxModels).map(({ id }) => ({ id })) };
}

/** A body without the files inside its texts; true when something was left out. */
export function withoutFiles(body: unknown): { readonly body: unknown; readonly isWhole: boolean } {
  let isWhole = true;
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length <= maxDataAddress || !value.startsWith('data:')) return value;
      isWhole = false;
      const comma = value.indexOf(',');
      return `${value.slice(0, Math.min(comma + 1, 100))}[${value.length - comma - 1} characters, not kept]`;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, walk(field)]));
  };
  return { body: walk(body), isWhole };
}

function named(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
