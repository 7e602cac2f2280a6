import type { Topic } from '../topic.ts';

export const errorsAsValues: Topic = {
  heading: 'Errors that say what happened',
  keywords: ['rust', 'result', 'option', 'unwrap', 'ownership', 'borrow', 'panic', 'enum', 'errors', 'config'],
  openings: [
    'Return the error instead of panicking, and give it enough to tell the user *which* file and *which* line. An ' +
      '`enum` with one case for each reason does both, and the compiler checks that none is forgotten.',
    'The `unwrap` is fine in a test and wrong in a program: it throws away the one thing the user needs, which is what ' +
      'to do next. The `?` operator passes the error up with as little typing.',
  ],
  samples: [
    {
      lead: 'For a file with settings, it looks like this:',
      language: 'rust',
      code: `use std::{fs, io, path::Path};

#[derive(Debug)]
pub enum ConfigError {
    Unreadable(io::Error),
    Malformed { line: usize, text: String },
}

pub fn read_config(path: &Path) -> Result<Vec<(String, String)>, ConfigError> {
    let text = fs::read_to_string(path).map_err(ConfigError::Unreadable)?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| match line.split_once('=') {
            Some((key, value)) => Ok((key.trim().into(), value.trim().into())),
            None => Err(ConfigError::Malformed { line: index + 1, text: line.into() }),
        })
        .collect()
}`,
      notes: [
        '`collect` stops at the **first** error and returns it: no loop and no flag.',
        'Lines are counted from 1, as editors do.',
        'The caller can match on the case, and need not search in a text.',
      ],
    },
    {
      lead: 'The file that it reads is as plain as this:',
      language: 'ini',
      code: `base_url = http://127.0.0.1:8787/v1
model = local/writer
max_tokens = 1024`,
      notes: ['One setting a line.', 'Everything after the first `=` is the value.'],
    },
  ],
  steps: [
    {
      text: 'List what can go wrong.',
      details: ['The file is missing.', 'A line has no `=`.', 'A value is no number.'],
    },
    { text: 'Make each a case.', details: ['With the data that its message needs, and no more.'] },
    { text: 'Turn it into words once.', details: ['At the edge, where the user is.', 'In the language of the user.'] },
  ],
  table: {
    lead: 'Which way out fits where:',
    header: ['Way', 'When'],
    rows: [
      ['`?`', 'the caller knows better'],
      ['`match`', 'you can do something about it'],
      ['`expect`', 'it would be a bug of yours'],
    ],
  },
  quote: 'An error message is the only part of a program that people read when they are already annoyed.',
  tasks: ['Remove the `unwrap` from `main`', 'Name the file in each message', 'Test a file with an empty line'],
  reference:
    'When to panic and when not to is the subject of a ' +
    '[chapter of the Rust book](https://doc.rust-lang.org/book/ch09-03-to-panic-or-not-to-panic.html).',
  remarks: [
    'Borrow the path and own the text: the first is only looked at, the second is kept.',
    'An error that was handled should not be logged as an error as well.',
    'Add the cause when you wrap an error, or the trail ends with you.',
    'A function that cannot fail should not return a `Result` for the sake of looking alike.',
    'The compiler’s first message is usually the one to read; the others often follow from it.',
  ],
};
