import type { MediaKind } from '../../shared/media.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { RetriedCall } from '../calls/retry.ts';
import type { Patience } from '../transport/timeouts.ts';
import type { RequestBody } from '../transport/transport.ts';
import type { ApiForm } from '../types.ts';
import type { Capability } from '../service/serviceFacts.ts';
import type { ModelInfo } from '../wire/decodeModels.ts';
import type { WholeAnswer } from '../wire/wholeAnswer.ts';

/** After each API's base. `{segment}` stands for the service's own name in native paths. */
export interface ApiPaths {
  readonly compatible: string;
  /** Absent where only the compatible API has the operation. */
  readonly native?: string;
}

/** What is paid for by the piece, not by tokens. */
export interface PaidPiece {
  readonly kind: MediaKind;
  readonly duration?: number;
  readonly audio?: string;
  readonly draft?: boolean;
}

/** JSON as it's kept for the person to look at. */
export type KeptBody = Readonly<Record<string, unknown>>;

/**
 * One operation of the service with its input, as data: all of it but which API is asked, the addresses, and the key.
 * Files of operations but the chat's bring along what reads the answer, so they're imported when one is asked for.
 */
export interface Operation<Name extends string = string> {
  /** What request history knows it by. */
  readonly name: Name;
  readonly model?: string;
  /** What was asked for, in the person's words and what they sent along; absent where nobody wrote any. */
  readonly asked?: string;
  readonly paths: ApiPaths;
  /** By what it's known whether a service has the paths. Absent: no API but the compatible one is asked. */
  readonly capability?: Capability;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  /** @param service the one that is asked, by its base URL. */
  readonly body?: (api: ApiForm, service: string) => RequestBody;
  /** The body has images for the model to look at. */
  readonly hasImages?: boolean;
  /** True where the request is to be sent once more at once, corrected: the failure says that nothing was done. */
  readonly corrects?: (failure: ApiFailure) => boolean;
  readonly patience: Patience;
  readonly retried: RetriedCall;
}

/** An operation whose answer comes in one piece. */
export interface WholeOperation<Answer, Name extends string = string> extends Operation<Name> {
  readonly capability?: Exclude<Capability, 'chat'>;
  /** Cap on the answer's body, in bytes. */
  readonly answerBytes: number;
  /** @throws {ApiError} */
  decode(answer: WholeAnswer): Answer;
  /** What request history keeps of an answer: all but the files in it. */
  kept(answer: Answer): KeptBody;
  /** The models that an answer lists, with their prices. */
  modelsIn?(answer: Answer): readonly ModelInfo[];
  /** Kept in place of a body that is not JSON. */
  readonly keptForm?: KeptBody;
  readonly made?: PaidPiece;
}

/** Cap on answers that are text. */
export const textBytes = 8 * 1024 * 1024;

export function jsonBody(value: unknown): RequestBody {
  return { contentType: 'application/json', content: JSON.stringify(value) };
}

/** Only the fields that say something. */
export function definedFields(fields: KeptBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
