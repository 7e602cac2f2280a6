import type { ModelRef } from '../../shared/modelRef.ts';
import type { InferenceCalls } from '../requests/inferenceCalls.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ConversationRecord } from './conversationRecord.ts';

/** Keeps records. `append` never throws: what cannot be written is reported by the journal itself. */
export interface ConversationJournal {
  append(record: ConversationRecord): void;
}

/** What goes with messages besides their words. */
export interface AttachmentSource {
  /**
   * The content as it goes in a request: a context's block, a picture's `data:` address.
   *
   * @throws {ApiError} `attachmentLost`
   */
  read(attachment: Attachment): Promise<string>;
  /** Undefined where nobody knows. */
  seesPictures(model: ModelRef): boolean | undefined;
}

/** What a session needs of the world around it. */
export interface SessionSurroundings {
  readonly clientFor: (model: ModelRef) => Pick<InferenceCalls, 'stream'>;
  readonly attachments: AttachmentSource;
  readonly journal: ConversationJournal;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
  readonly newId: () => string;
  /** This window. */
  readonly writer: string;
  readonly pid: number;
  /** Takes secrets out of a failure before it is kept: a service may quote what it was sent. */
  readonly redact: (failure: ApiFailure) => ApiFailure;
  /** A failure that is a bug of ours, for the log. */
  readonly onUnexpected: (error: unknown) => void;
}
