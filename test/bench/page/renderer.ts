/** Something that draws growing Markdown into an element. */
export interface Renderer {
  append(text: string): void;
  /** @returns true when all text is drawn; the one that draws all at once always says so. */
  render(deadlineMs: number): boolean;
}

export type MakeRenderer = (root: HTMLElement) => Renderer;
