/** A piece of code with what is said around it. */
interface Sample {
  /** Paragraph that leads to the code. */
  readonly lead: string;
  /** The fence's language. */
  readonly language: string;
  readonly code: string;
  /** What to know about the code, as points of a list. */
  readonly notes: readonly string[];
}

interface Step {
  readonly text: string;
  readonly details: readonly string[];
}

/** What the writer can say about one subject; wherever it has a choice, the best comes first. Texts are Markdown. */
export interface Topic {
  readonly heading: string;
  /** Words of a question that ask for this topic, in lower case. */
  readonly keywords: readonly string[];
  /** Paragraphs that can open an answer. */
  readonly openings: readonly string[];
  readonly samples: readonly Sample[];
  readonly steps: readonly Step[];
  readonly table: {
    readonly lead: string;
    readonly header: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  readonly quote: string;
  readonly tasks: readonly string[];
  /** Paragraph with a link. */
  readonly reference: string;
  /** Sentences that stand by themselves, to make paragraphs of. */
  readonly remarks: readonly string[];
}
