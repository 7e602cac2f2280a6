/**
 * The README for a place from which nothing leads into the project: without its pictures, and with the text alone of
 * links to its files.
 */
export function withoutProjectLinks(markdown: string): string {
  const blocks = markdown.split(/\n{2,}/).filter((block) => {
    const rest = block.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '');
    // A table of pictures goes with its lines.
    return rest === block || !/^[|\s-]*$/.test(rest);
  });
  return blocks.join('\n\n').replaceAll(/(?<!!)\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
}
