import type { ModelRef } from '../../shared/modelRef.ts';
import type { InferenceCalls } from '../requests/inferenceCalls.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ConversationRecord } from './conversationRecord.ts';

/** Stores records. `append` never throws: the journal itself reports what can't be written. */
export interface ConversationJournal {
  append(record: ConversationRecord): void;
}

/** The contents of attachments. */
export interface AttachmentSource {
  /**
   * The content as it's sent: a context's block, or an image's `data:` URL.
   * @throws {ApiError} `attachmentLost`
   */
  read(attachment: Attachment): Promise<string>;
  /** Undefined if unknown. */
  seesPictures(model: ModelRef): boolean | undefined;
}

/** Everything that a session needs from outside. */
export interface SessionSurroundings {
  /** `stop` is called if the user stops its request from the request history. */
  readonly clientFor: (model: ModelRef, stop: () => void) => Pick<InferenceCalls, 'stream'>;
  readonly attachments: AttachmentSource;
  readonly journal: ConversationJournal;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
  readonly newId: () => string;
  /** ID of this window. */
  readonly writer: string;
  readonly pid: number;
  /** Removes secrets from a failure before it's stored, because a service might quote the request. */
  readonly redact: (failure: ApiFailure) => ApiFailure;
  /** Logs a failure that is a bug in Parlance. */
  readonly onUnexpected: (error: unknown) => void;
}
