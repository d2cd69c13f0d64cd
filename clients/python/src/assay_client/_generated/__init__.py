# Written by `npm run generate` from src/contract. Change it there.
