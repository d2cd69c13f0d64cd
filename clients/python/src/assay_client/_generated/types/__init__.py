# Written by `npm run generate` from src/core/api. Change it there.
