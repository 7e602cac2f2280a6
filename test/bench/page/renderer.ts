/** Something that draws growing Markdown into an element. */
export interface Renderer {
  append(text: string): void;
  /** @returns true when all text is drawn; always true for a renderer that draws everything at once. */
  render(deadlineMs: number): boolean;
}

export type MakeRenderer = (root: HTMLElement) => Renderer;
