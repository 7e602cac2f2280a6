/**
 * Whether an answer that has opened no fence so far is code, told by its finished lines. The first line decides that can
 * only be code or only be words; one that may be both leaves it to the next. No such line yet is no code yet: words that
 * are shown as code are worse than code that is shown a little later.
 *
 * @param replaced the code that the answer is to stand for: a line of it that comes again is code
 */
export function beginsAsCode(lines: readonly string[], replaced: string): boolean {
  const known = new Set(replaced.split('\n').map((line) => line.trim()));
  for (const whole of lines) {
    const line = whole.trim();
    if (line === '') continue;
    if (known.has(line)) return true;
    // Names and calls that a sentence speaks of.
    const text = line.replaceAll(/`[^`]*`/g, 'It');
    if (isCode(text)) return true;
    if (isSentence(text)) return false;
  }
  return false;
}

function isCode(line: string): boolean {
  // `<think>` begins the thoughts of some models.
  if (/^([{})\]@]|\/[/*]|#[!a-z[]|<(?!\/?think))/.test(line) || /[{}([;]$/.test(line)) return true;
  // A small letter begins no sentence: then a call or an assignment is one, unless a full stop or the like follows.
  return /^[a-z_$].*?(\w[([]| [^\w\s]?=[=>]* )/.test(line) && !/[^)\]][.:!?…]$/.test(line);
}

/** A capital, or a letter of a script that has none, more than one word, and a sentence's end. */
function isSentence(line: string): boolean {
  return /^[*_]*[\p{Lu}\p{Lo}]/u.test(line) && /[^!-~]/.test(line) && /[.:!?…。：！？][*_)]*$/.test(line);
}
