import { element, float, ids, text, uint } from './ebml.ts';

export interface EncodedFrame {
  readonly data: Uint8Array;
  readonly isKey: boolean;
}

/** Sound as it is, without a codec. */
export interface PcmTrack {
  readonly sampleRate: number;
  readonly channels: number;
  /** Interleaved, of 16 bits, little-endian. */
  readonly samples: Uint8Array;
}

export interface EncodedVideo {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  readonly fps: number;
  readonly title: string;
  /** VP8, a key frame first. */
  readonly frames: readonly EncodedFrame[];
  readonly audio?: PcmTrack | undefined;
}

const videoTrack = 1;
const audioTrack = 2;
const bytesPerSample = 2;
const nanosecondsPerTick = 1_000_000;

/**
 * A WebM file: a VP8 track, a cluster for each key frame, and cues to find them by. Sound makes it Matroska in
 * all but name: WebM proper has no PCM, but what plays the one plays the other.
 */
export function writeWebm(video: EncodedVideo): Buffer {
  const clusters = clustersOf(video);
  const head = Buffer.concat([infoOf(video), tracksOf(video)]);
  // Cues have the same size for any positions, so they can stand before what they point at.
  const cuesLength = cuesOf(clusters, 0).length;
  const segment = element(
    ids.segment,
    head,
    cuesOf(clusters, head.length + cuesLength),
    ...clusters.map(({ bytes }) => bytes),
  );
  return Buffer.concat([ebmlHead(), segment]);
}

interface Cluster {
  /** Milliseconds. */
  readonly startMs: number;
  readonly bytes: Uint8Array;
}

function ebmlHead(): Uint8Array {
  return element(
    ids.ebml,
    uint(ids.ebmlVersion, 1),
    uint(ids.ebmlReadVersion, 1),
    uint(ids.ebmlMaxIdLength, 4),
    uint(ids.ebmlMaxSizeLength, 8),
    text(ids.docType, 'webm'),
    uint(ids.docTypeVersion, 4),
    uint(ids.docTypeReadVersion, 2),
  );
}

function infoOf({ frames, fps, title }: EncodedVideo): Uint8Array {
  return element(
    ids.info,
    uint(ids.timestampScale, nanosecondsPerTick),
    float(ids.duration, (frames.length / fps) * 1000),
    text(ids.title, title),
    text(ids.muxingApp, 'local inference service'),
    text(ids.writingApp, 'local inference service'),
  );
}

function tracksOf({ width, height, fps, audio }: EncodedVideo): Uint8Array {
  const video = trackEntry(
    { number: videoTrack, type: 1, codec: 'V_VP8' },
    uint(ids.defaultDuration, Math.round(1e9 / fps)),
    element(ids.video, uint(ids.pixelWidth, width), uint(ids.pixelHeight, height)),
  );
  if (!audio) return element(ids.tracks, video);
  const sound = trackEntry(
    { number: audioTrack, type: 2, codec: 'A_PCM/INT/LIT' },
    element(
      ids.audio,
      float(ids.samplingFrequency, audio.sampleRate),
      uint(ids.channels, audio.channels),
      uint(ids.bitDepth, bytesPerSample * 8),
    ),
  );
  return element(ids.tracks, video, sound);
}

function trackEntry(
  { number, type, codec }: { readonly number: number; readonly type: number; readonly codec: string },
  ...details: readonly Uint8Array[]
): Uint8Array {
  return element(
    ids.trackEntry,
    uint(ids.trackNumber, number),
    uint(ids.trackUid, number),
    uint(ids.trackType, type),
    uint(ids.flagLacing, 0),
    text(ids.codecId, codec),
    ...details,
  );
}

function cuesOf(clusters: readonly Cluster[], firstPosition: number): Uint8Array {
  let position = firstPosition;
  const points = clusters.map(({ startMs, bytes }) => {
    const point = element(
      ids.cuePoint,
      uint(ids.cueTime, startMs),
      element(ids.cueTrackPositions, uint(ids.cueTrack, videoTrack), uint(ids.cueClusterPosition, position)),
    );
    position += bytes.length;
    return point;
  });
  return element(ids.cues, ...points);
}

function clustersOf({ frames, fps, audio }: EncodedVideo): Cluster[] {
  const timed = frames.map((frame, index) => ({ ...frame, index, atMs: Math.round((index * 1000) / fps) }));
  const starts = timed.flatMap(({ isKey, index }) => (isKey ? [index] : []));
  return starts.map((start, number) => {
    const inside = timed.slice(start, starts[number + 1]);
    const startMs = inside[0]?.atMs ?? 0;
    const blocks = inside.flatMap(({ data, isKey, atMs, index }) => [
      simpleBlock({ track: videoTrack, isKey, data, afterClusterMs: atMs - startMs }),
      ...(audio ? [soundOf(audio, { index, fps, startMs })] : []),
    ]);
    return { startMs, bytes: element(ids.cluster, uint(ids.timestamp, startMs), ...blocks) };
  });
}

/** The sound that is heard while a frame is seen. */
function soundOf(
  { sampleRate, channels, samples }: PcmTrack,
  { index, fps, startMs }: { readonly index: number; readonly fps: number; readonly startMs: number },
): Uint8Array {
  const from = Math.round((index * sampleRate) / fps);
  const to = Math.round(((index + 1) * sampleRate) / fps);
  const data = samples.subarray(from * channels * bytesPerSample, to * channels * bytesPerSample);
  const atMs = Math.round((from * 1000) / sampleRate);
  return simpleBlock({ track: audioTrack, isKey: true, data, afterClusterMs: atMs - startMs });
}

interface Block {
  readonly track: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
  readonly afterClusterMs: number;
}

function simpleBlock({ track, isKey, data, afterClusterMs }: Block): Uint8Array {
  const head = Buffer.from([0x80 | track, 0, 0, isKey ? 0x80 : 0]);
  head.writeInt16BE(afterClusterMs, 1);
  return element(ids.simpleBlock, head, data);
}
