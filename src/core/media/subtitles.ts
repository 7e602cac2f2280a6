import type { TranscriptSegment } from '../../api/operations/audioTranscription.ts';

export type SubtitleFormat = 'srt' | 'vtt';

/** Segments as subtitles. Those without text are left out. */
export function subtitles(segments: readonly TranscriptSegment[], format: SubtitleFormat): string {
  const cues = segments
    .map(({ startSeconds, endSeconds, text }) => ({ startSeconds, endSeconds, lines: cueLines(text, format) }))
    .filter(({ lines }) => lines !== '')
    .map(({ startSeconds, endSeconds, lines }, index) => {
      const times = `${time(startSeconds, format)} --> ${time(Math.max(startSeconds, endSeconds), format)}`;
      return `${index + 1}\n${times}\n${lines}\n`;
    });
  return format === 'vtt' ? ['WEBVTT\n', ...cues].join('\n') : cues.join('\n');
}

/** A blank line would end the cue, and an arrow would look like a time range. */
function cueLines(text: string, format: SubtitleFormat): string {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('-->', '->');
  return format === 'vtt' ? lines.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : lines;
}

function time(seconds: number, format: SubtitleFormat): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000));
  const part = (size: number, limit: number, digits: number): string =>
    String(Math.floor(milliseconds / size) % limit).padStart(digits, '0');
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
  return `${hours}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}${format === 'srt' ? ',' : '.'}${part(1, 1000, 3)}`;
}
