import { bareHost, isThisMachine } from './proxyRoute.ts';

/** How long each phase may last, in milliseconds. */
export interface Timeouts {
  /** Name lookup, TCP, proxy tunnel and TLS together. */
  readonly connectMs: number;
  /** From sending a request to the first byte of a streamed answer's body. */
  readonly firstByteMs: number;
  /** Between two reads of a streamed answer; keep-alive comments count. */
  readonly silenceMs: number;
  /** After the finish reason of a stream: usage may follow, and an end may never come. */
  readonly settleMs: number;
  /** A reply that comes in one piece: its first byte comes only when all of it is made. */
  readonly wholeReplyMs: number;
  /** The model catalog, from start to end. */
  readonly catalogMs: number;
  /** A video: one exchange, silent for minutes while the video is made. */
  readonly videoMs: number;
  /** An image: large ones in many steps take minutes, and a queue may stand before them. */
  readonly imageMs: number;
  /** A transcript: the upload of the recording counts, which may be slower than the transcribing. */
  readonly transcriptionMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  silenceMs: 90_000,
  settleMs: 5_000,
  wholeReplyMs: 600_000,
  catalogMs: 15_000,
  videoMs: 1_200_000,
  imageMs: 300_000,
  transcriptionMs: 600_000,
};

/** A model on this machine may be at work on its CPU, and has no queue of strangers before it. */
const firstByteOnLoopbackMs = 600_000;

/**
 * How long a streamed answer may take to begin.
 *
 * @param chosenMs what the user set, for any host.
 * @param setMs for hosts elsewhere; on loopback only where it is not the usual one.
 */
export function firstByteMs(url: URL, setMs: number, chosenMs: number | undefined): number {
  if (chosenMs !== undefined) return chosenMs;
  return setMs === defaultTimeouts.firstByteMs && isThisMachine(bareHost(url)) ? firstByteOnLoopbackMs : setMs;
}

/** What is waited for, and so which timers watch over it. */
export type Patience = 'stream' | 'wholeReply' | 'catalog' | 'video' | 'image' | 'transcription';

/** How long an answer in one piece may take to its end; undefined for a stream, which has other timers. */
export function answerMs(timeouts: Timeouts, patience: Patience): number | undefined {
  switch (patience) {
    case 'stream':
      return undefined;
    case 'wholeReply':
      return timeouts.wholeReplyMs;
    case 'catalog':
      return timeouts.catalogMs;
    case 'video':
      return timeouts.videoMs;
    case 'image':
      return timeouts.imageMs;
    case 'transcription':
      return timeouts.transcriptionMs;
  }
}
