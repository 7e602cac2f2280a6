import assert from 'node:assert/strict';
import { agoText, dayName, timeOrDateText } from '../../../src/words/moment.ts';
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

  it('has the day by name, also across a change of the year', () => {
    assert.equal(dayName(now, now), 'Today');
    assert.equal(dayName(now - day, now), 'Yesterday');
    assert.equal(dayName(now - 2 * day, now), 'Thursday, November 19, 2026');
    const newYear = new Date(2027, 0, 1).getTime();
    assert.equal(dayName(newYear - 1, newYear), 'Yesterday');
  });

  it('says how long ago it was, in the language of the texts', () => {
    assert.equal(agoText(now + minute, now), 'just now');
    assert.equal(agoText(now - minute + 1, now), 'just now');
    assert.equal(agoText(now - 119 * minute, now), '1 hour ago');
    writeNumbersIn('de');
    assert.equal(agoText(now - 2 * day, now), 'vorgestern');
  });
});
