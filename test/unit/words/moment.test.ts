import assert from 'node:assert/strict';
import { agoText, dayName, momentText, timeOrDateText } from '../../../src/words/moment.ts';
import { writeNumbersIn } from '../../../src/words/numberText.ts';

const now = new Date(2026, 10, 21, 14, 5).getTime();
const minute = 60_000;
const day = 24 * 60 * minute;

describe('A moment in words', () => {
  afterEach(() => writeNumbersIn('en'));

  it('is the time today, and the date before', () => {
    writeNumbersIn('de');
    assert.equal(timeOrDateText(now - 14 * 60 * minute, now), '00:05');
    assert.equal(timeOrDateText(now - 15 * 60 * minute, now), '20.11.2026');
  });

  it('has an hour as each language writes it', () => {
    const morning = new Date(2026, 10, 21, 8, 5).getTime();
    assert.match(timeOrDateText(morning, now), /^8:05\sAM$/);
    for (const [language, text] of [
      ['de', '08:05'],
      ['fr', '08:05'],
      ['es', '8:05'],
      ['ja', '8:05'],
    ] as const) {
      writeNumbersIn(language);
      assert.equal(timeOrDateText(morning, now), text, language);
    }
  });

  it('has the day by name, also across a change of the year', () => {
    assert.equal(dayName(now, now), 'Today');
    assert.equal(dayName(now - day, now), 'Yesterday');
    assert.equal(dayName(now - 2 * day, now), 'Thursday, November 19, 2026');
    const newYear = new Date(2027, 0, 1).getTime();
    assert.equal(dayName(newYear - 1, newYear), 'Yesterday');
  });

  it('is written in the language and the time zone of now, even after they change', () => {
    const at = Date.UTC(2026, 10, 21, 14, 5, 9);
    const zone = process.env['TZ'];
    try {
      process.env['TZ'] = 'Asia/Tokyo';
      assert.equal(momentText(at), '11/21/2026, 11:05:09 PM');
      writeNumbersIn('de');
      assert.equal(momentText(at), '21.11.2026, 23:05:09');
      process.env['TZ'] = 'Europe/Berlin';
      assert.equal(momentText(at), '21.11.2026, 15:05:09');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('is no error if it never was', () => {
    assert.equal(momentText(Number.NaN), 'Invalid Date');
    assert.equal(timeOrDateText(1e300, now), 'Invalid Date');
  });

  it('says how long ago it was, in the language of the texts', () => {
    assert.equal(agoText(now + minute, now), 'just now');
    assert.equal(agoText(now - minute + 1, now), 'just now');
    assert.equal(agoText(now - 119 * minute, now), '1 hour ago');
    writeNumbersIn('de');
    assert.equal(agoText(now - 2 * day, now), 'vorgestern');
  });
});
