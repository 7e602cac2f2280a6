/** Keywords that declare a name, at the start of a line after modifiers like `export` and `pub`. */
const keyword =
  /^(?:[\p{L}@][\p{L}\p{N}_@()]*\s+)*(?:class|interface|enum|struct|trait|type|record|object|module|namespace|mod|def|fn|func|fun|function|sub|const|let|var|val)\s+(?:\([^)]*\)\s*)?(?<name>(?:self\.)?[\p{L}_$][\p{L}\p{N}_$]*)/u;

/** A name before its parameters, after modifiers and types: `bar(x)`, `public List<String> bar()`, `void Foo::bar()`. */
const beforeParameters =
  /^(?<types>(?:[\p{L}_$@][^\s(){};=]*\s+)*)[*&#~]*(?<name>[\p{L}_$][\p{L}\p{N}_$:.]*)(?:<[^()]*>)?\s*\(/u;

/** What begins a statement, so that what follows isn't declared. */
const statement =
  /^(?:assert|await|break|case|catch|const|continue|default|defer|delete|do|echo|elif|else|elsif|export|finally|for|foreach|go|guard|if|import|let|lock|loop|match|new|print|return|select|super|switch|synchronized|throw|try|unless|until|using|var|when|while|with|yield)\b/;

/**
 * The name that a line declares, in any language: a function, a method, a type, a variable, or a rule of a stylesheet.
 * @param below the line below it, where the bracket of a body can be
 */
export function declaredName(line: string, below: string | undefined): string | undefined {
  const text = line.replace(/^[\s})\]]+/, '').trimEnd();
  const declared = keyword.exec(text)?.groups?.['name'];
  if (declared !== undefined) return declared;
  if (statement.test(text)) return undefined;
  const opening = text.search(/\{[^{}]*\}?$/);
  const hasBody = opening > 0 || /^\s*\{\s*$/.test(below ?? '');
  const head = (opening > 0 ? text.slice(0, opening) : text).trim();
  const { types, name } = beforeParameters.exec(head)?.groups ?? {};
  // `describe('a list', () => {` is a call.
  const isWhole = depthOf(head) === 0;
  if (name !== undefined) return (hasBody ? isWhole : isSignature(head, types)) ? name : undefined;
  return opening > 0 && isWhole && /[\p{L}\p{N}]/u.test(head) ? head : undefined;
}

/** How many more brackets a text opens than it closes. */
export function depthOf(text: string): number {
  return (text.match(/[([{]/g) ?? []).length - (text.match(/[)\]}]/g) ?? []).length;
}

/** Whether it has a type, and ends like a prototype, or in the middle of its parameters. */
function isSignature(head: string, types: string | undefined): boolean {
  return types !== undefined && types !== '' && /(?:\)[^()]*;|[(,])$/.test(head);
}
