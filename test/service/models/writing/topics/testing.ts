import type { Topic } from '../topic.ts';

export const testing: Topic = {
  heading: 'Tests that fail for one reason',
  keywords: ['test', 'tests', 'unit', 'pytest', 'python', 'mock', 'mocks', 'fixture', 'assert', 'flaky'],
  openings: [
    'The test is flaky because it waits for a time instead of an event. Make the code tell when it is done, wait for ' +
      'that, and the sleep goes away together with the failures.',
    'Test what the function promises, with the smallest real thing that it works on. For a function that reads a file, ' +
      'that is a file in a temporary folder and not a mock of `open`.',
  ],
  samples: [
    {
      lead: 'A small example with a real file and a table of cases:',
      language: 'python',
      code: `import pytest

from notes import count_words, read_notes


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("one", 1), ("one  two", 2), ("zwei\\nWörter", 2)],
)
def test_counts_words(text: str, expected: int) -> None:
    assert count_words(text) == expected


def test_reads_what_was_written(tmp_path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Monday\\n", encoding="utf-8")
    assert read_notes(path) == ["# Monday"]`,
      notes: [
        '**One table, many cases**: adding the next odd input is one line.',
        '`tmp_path` is a folder of its own for each test, and pytest cleans it up.',
        'The name of the test is a sentence; when it fails, the report reads like one.',
        'Naming the encoding keeps the test from passing on one machine alone.',
      ],
    },
    {
      lead: 'For properties rather than examples, let the machine look for the case that you forgot:',
      language: 'python',
      code: `from hypothesis import given, strategies as st


@given(st.text())
def test_decoding_undoes_encoding(text: str) -> None:
    assert decode(encode(text)) == text`,
      notes: ['A failure is shrunk to the shortest text that still fails.', 'Keep that text as an example of its own.'],
    },
  ],
  steps: [
    {
      text: 'Write the test and see it fail.',
      details: ['A test that never failed proves nothing.', 'Break the code once to be sure.'],
    },
    {
      text: 'Wait for conditions.',
      details: ['An event, a file, a line in the log.', 'With a limit, and a message when it is reached.'],
    },
    { text: 'Leave nothing behind.', details: ['No process.', 'No port.', 'No file.'] },
  ],
  table: {
    lead: 'What to use in place of a mock:',
    header: ['Instead of a mock of', 'use'],
    rows: [
      ['the file system', 'a temporary folder'],
      ['a server', 'a small server on port 0'],
      ['the clock', 'a clock that is passed in'],
    ],
  },
  quote: 'A mock answers what you believe the other side does; a test should find out whether you are right.',
  tasks: ['Replace the sleep by a condition', 'Name what the test promises', 'Run it a hundred times in a row'],
  reference:
    'Fixtures, and how they are torn down again, are described in the ' +
    '[pytest documentation](https://docs.pytest.org/en/stable/how-to/fixtures.html).',
  remarks: [
    'Durations belong in benchmarks; a test that asserts them fails on the busiest day of the year.',
    'One assertion a test is a rule of thumb: what counts is one reason to fail.',
    'Coverage tells you what was run and not what was checked.',
    'Run tests in random order from time to time, and find out which ones lean on each other.',
    'A test that needs a long setup is saying something about the code and not about tests.',
  ],
};
