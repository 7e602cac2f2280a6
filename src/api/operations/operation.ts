import type { WireModel } from '../../shared/modelRef.ts';
import type { MediaKind } from '../../shared/media.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { RetriedCall } from '../calls/retry.ts';
import type { Patience } from '../transport/timeouts.ts';
import type { RequestBody } from '../transport/transport.ts';
import type { ApiForm } from '../types.ts';
import type { Capability } from '../service/serviceFacts.ts';
import type { ModelInfo } from '../wire/decodeModels.ts';
import type { WholeAnswer } from '../wire/wholeAnswer.ts';

/** Appended to each API's base URL. `{segment}` stands for the service's own name in native paths. */
export interface ApiPaths {
  readonly compatible: string;
  /** Absent if only the compatible API has the operation. */
  readonly native?: string;
}

/** What is priced per piece instead of per token. */
export interface PaidPiece {
  readonly kind: MediaKind;
  readonly duration?: number;
  readonly audio?: string;
  readonly draft?: boolean;
}

/** JSON, as it's stored for the user to look at. */
export type KeptBody = Readonly<Record<string, unknown>>;

/**
 * One operation of the service with its input, as data: everything except the API to use, the URLs, and the key. All
 * operations except the chat's load the code that reads their response, so they're imported when needed.
 */
export interface Operation<Name extends string = string> {
  /** The name of the operation in request history. */
  readonly name: Name;
  readonly model?: WireModel;
  /** What the user wrote and attached; absent if the request has no text from the user. */
  readonly asked?: string;
  readonly paths: ApiPaths;
  /** The capability that says whether the service has the paths. If absent, only the compatible API is used. */
  readonly capability?: Capability;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  /** @param service the service, by its base URL. */
  readonly body?: (api: ApiForm, service: string) => RequestBody;
  /** The body has images for the model to look at. */
  readonly hasImages?: boolean;
  /** True if the request should be sent again at once, corrected, because the failure shows that nothing was done. */
  readonly corrects?: (failure: ApiFailure) => boolean;
  readonly patience: Patience;
  readonly retried: RetriedCall;
}

/** An operation whose response arrives in one piece. */
export interface WholeOperation<Answer, Name extends string = string> extends Operation<Name> {
  readonly capability?: Exclude<Capability, 'chat'>;
  /** Size limit of the response body, in bytes. */
  readonly answerBytes: number;
  /** @throws {ApiError} */
  decode(answer: WholeAnswer): Answer;
  /** What request history stores of a response: everything except the files in it. */
  kept(answer: Answer): KeptBody;
  /** The models that a response lists, with their prices. */
  modelsIn?(answer: Answer): readonly ModelInfo[];
  /** Stored instead of a body that isn't JSON. */
  readonly keptForm?: KeptBody;
  readonly made?: PaidPiece;
}

/** Size limit of text responses, in bytes. */
export const textBytes = 8 * 1024 * 1024;

export function jsonBody(value: unknown): RequestBody {
  return { contentType: 'application/json', content: JSON.stringify(value) };
}

/** Only the fields that aren't empty. */
export function definedFields(fields: KeptBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
