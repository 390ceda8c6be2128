"""Write the structs of the typed starters: python -m generators.structs."""

from generators.structs.files import files

if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, "utf-8")
