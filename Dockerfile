# The program, and the pip by which it installs solvers: docker build -t squall . (docs/install.md)
FROM rust:1-slim-bookworm AS build
WORKDIR /squall
COPY . .
RUN cargo build --profile dist --locked --package squall --features full && cp target/dist/squall /usr/local/bin/squall

FROM python:3.12-slim-bookworm
COPY --from=build /usr/local/bin/squall /usr/local/bin/squall
# Findings are written to the current folder, solvers to the cache: both can be volumes.
ENV SQUALL_CACHE=/cache
RUN mkdir /cache /work && chmod 777 /cache /work
WORKDIR /work
ENTRYPOINT ["squall"]
CMD ["--help"]
