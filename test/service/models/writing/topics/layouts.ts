import type { Topic } from '../topic.ts';

export const layouts: Topic = {
  heading: 'Layouts that fit without breakpoints',
  keywords: ['css', 'html', 'grid', 'flex', 'layout', 'responsive', 'style', 'width', 'web', 'page', 'center'],
  openings: [
    'Let the grid decide how many columns fit. With `auto-fit` and `minmax` the cards wrap by themselves at every ' +
      'width, and there is not one media query to keep in step with the design.',
    'The overflow comes from one long word: a grid item is never narrower than its content unless you allow it. Give ' +
      'the column a minimum of zero and the text a way to break.',
  ],
  samples: [
    {
      lead: 'The style is short:',
      language: 'css',
      code: `.cards {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr));
  gap: 1rem;
}

.card {
  min-width: 0;
  overflow-wrap: anywhere;
  border: 1px solid var(--border);
  border-radius: 6px;
  padding: 1rem;
}`,
      notes: [
        '`min(16rem, 100%)` keeps a narrow panel from scrolling sideways.',
        '**`min-width: 0`** lets the card shrink below its longest word.',
        'Colours come from variables, so a theme needs no second copy of this.',
      ],
    },
    {
      lead: 'The markup says what things are, and leaves their look to the style:',
      language: 'html',
      code: `<ul class="cards">
  <li class="card">
    <h3>Echo</h3>
    <p>Repeats what you say.</p>
    <a href="#echo">Try it</a>
  </li>
</ul>`,
      notes: ['A list is announced with its length by screen readers.', 'Headings let people jump from card to card.'],
    },
  ],
  steps: [
    { text: 'Start with the narrowest width.', details: ['300 pixels.', 'One column.', 'Nothing cut off.'] },
    { text: 'Let it grow.', details: ['Columns appear when they fit.', 'Lines of text stop at about 70 characters.'] },
    { text: 'Try other people’s settings.', details: ['Zoom at 200 %.', 'High contrast.', 'Reduced motion.'] },
  ],
  table: {
    lead: 'Grid or flex?',
    header: ['You want', 'Use'],
    rows: [
      ['rows and columns in line', 'grid'],
      ['one row that shares its space', 'flex'],
      ['a form', 'grid'],
      ['a toolbar', 'flex'],
    ],
  },
  quote: 'A layout is finished when the longest word in any language does not break it.',
  tasks: ['Check it at 300 px', 'Check it with a long German word', 'Tab through it without a mouse'],
  reference:
    'A patient introduction with pictures is the ' +
    '[guide to grid](https://developer.mozilla.org/en-US/docs/Web/CSS/CSS_grid_layout/Basic_concepts_of_grid_layout).',
  remarks: [
    'Sizes in `rem` follow the reader’s font size, sizes in `px` do not.',
    'Container queries ask for the width that the component really has, which is what you meant.',
    'Do not set heights on boxes that hold text.',
    'Logical properties such as `margin-inline` turn around with the writing direction.',
    'Space between things belongs to their parent, as a `gap`, and not to the things.',
  ],
};
