import assert from 'node:assert/strict';
import { subtitles } from '../../../../src/core/media/subtitles.ts';

const segments = [
  { startSeconds: 0, endSeconds: 1.5, text: ' Hello.\n\nSecond line ' },
  { startSeconds: 1.5, endSeconds: 1.5, text: '   ' },
  { startSeconds: 3661.0049, endSeconds: 3600, text: 'a --> b & <c>' },
];

describe('Subtitles', () => {
  it('are SubRip, with a comma in the times and no blank line inside a cue', () => {
    assert.equal(
      subtitles(segments, 'srt'),
      '1\n00:00:00,000 --> 00:00:01,500\nHello.\nSecond line\n\n2\n01:01:01,005 --> 01:01:01,005\na -> b & <c>\n',
    );
  });

  it('are WebVTT, with its header and its escapes', () => {
    assert.equal(
      subtitles(segments, 'vtt'),
      'WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.500\nHello.\nSecond line\n\n2\n01:01:01.005 --> 01:01:01.005\na -> b &amp; &lt;c>\n',
    );
  });
});
