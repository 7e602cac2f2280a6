import { bareHost, isThisMachine } from './proxyRoute.ts';

/** The limit for each phase, in milliseconds. */
export interface Timeouts {
  /** Name lookup, TCP, proxy tunnel, and TLS together. */
  readonly connectMs: number;
  /** From sending a request to the first byte of a streamed response body. */
  readonly firstByteMs: number;
  /** Between two reads of a streamed response. Keep-alive comments count. */
  readonly silenceMs: number;
  /** After a stream's finish reason: usage can follow, and the end might never arrive. */
  readonly settleMs: number;
  /** A response in one piece: its first byte arrives only when all of it exists. */
  readonly wholeReplyMs: number;
  /** The model list, from start to end. */
  readonly catalogMs: number;
  /** A video: one exchange, silent for minutes while the video is generated. */
  readonly videoMs: number;
  /** An image: large ones with many steps take minutes, and there can be a queue. */
  readonly imageMs: number;
  /** A transcript: includes uploading the audio file, which can be slower than transcribing it. */
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

/** A model on this machine might run on its CPU, but has no queue of other users. */
const firstByteOnLoopbackMs = 600_000;

/**
 * How long a streamed response can take to start.
 * @param chosenMs the user's setting, for any host.
 * @param setMs for other hosts; on loopback only if it isn't the default.
 */
export function firstByteMs(url: URL, setMs: number, chosenMs: number | undefined): number {
  if (chosenMs !== undefined) return chosenMs;
  return setMs === defaultTimeouts.firstByteMs && isThisMachine(bareHost(url)) ? firstByteOnLoopbackMs : setMs;
}

/**
 * How long a stream that has begun can be silent. Some servers send nothing while a model writes a tool call, such as a
 * new file: that can take as long as the beginning of a reply.
 * @param chosenMs the user's setting for the beginning, for any host.
 * @param setMs the exact limit, unless it's the default: that's the least, and more on this machine.
 */
export function silenceMs(url: URL, setMs: number, chosenMs: number | undefined): number {
  if (setMs !== defaultTimeouts.silenceMs) return setMs;
  return Math.max(setMs, chosenMs ?? 0, isThisMachine(bareHost(url)) ? firstByteOnLoopbackMs : 0);
}

/** What a call waits for, which decides its timeouts. */
export type Patience = 'stream' | 'wholeReply' | 'catalog' | 'video' | 'image' | 'transcription';

/** How long a response in one piece can take in total; undefined for a stream, which has other timers. */
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
