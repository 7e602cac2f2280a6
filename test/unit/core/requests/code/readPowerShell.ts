import assert from 'node:assert/strict';

/** The characters that PowerShell treats as a single quote, from its language specification. */
const quotes = "'\u2018\u2019\u201a\u201b";

/**
 * Reads a script that starts curl as PowerShell would: only texts in single quotes, numbered characters, and the few
 * words that the script uses; anything else fails the test. PowerShell itself isn't available on every machine.
 * @returns the arguments of curl, and its input as PowerShell writes it, with a line ending after each text.
 */
export function readPowerShell(
  code: string,
  apiKey: string,
): { readonly args: readonly string[]; readonly input: string } {
  // In an old code page, the same script must mean the same.
  assert.match(code, /^[\n -~]*$/);
  let rest = code;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest) ?? undefined;
    if (found !== undefined) rest = rest.slice(found[0].length);
    return found;
  };
  const text = (): string => {
    const found = take(new RegExp(`^[${quotes}]((?:[^${quotes}]|[${quotes}]{2})*)[${quotes}](?![${quotes}])`));
    assert.ok(found, `A text was to come before ${rest.slice(0, 80)}`);
    return (found[1] ?? '').replace(new RegExp(`([${quotes}])[${quotes}]`, 'g'), '$1');
  };
  const expression = (): string => {
    const character = take(/^\[char\]0x([0-9a-f]{4})/);
    const value = character ? String.fromCharCode(Number.parseInt(character[1] ?? '', 16)) : text();
    return take(/^ \+ /) ? value + expression() : value;
  };

  const texts: string[] = [];
  if (take(/^\$OutputEncoding = \[System\.Text\.UTF8Encoding\]::new\(\$false\)\n@\(\n/)) {
    while (take(/^ {2}(?=['[])/)) {
      texts.push(expression());
      assert.ok(take(/^\n/));
    }
    assert.ok(take(/^\) \| /));
  } else if (rest.startsWith("'")) {
    texts.push(text());
    assert.ok(take(/^ \| /));
  }
  assert.ok(take(/^curl\.exe/));
  const args: string[] = [];
  while (take(/^ (?:`\n {2})?/)) {
    if (take(/^"Authorization: Bearer \$env:\w+_API_KEY"/)) args.push(`Authorization: Bearer ${apiKey}`);
    else if (rest.startsWith("'")) {
      const argument = text();
      // PowerShell 5.1 doesn't pass these on unchanged.
      assert.doesNotMatch(argument, /"|\\$/);
      args.push(argument);
    } else args.push((take(/^[\w.-]+/) ?? assert.fail(rest))[0]);
  }
  assert.equal(rest, '\n');
  return { args, input: texts.map((each) => `${each}\r\n`).join('') };
}
